import Coordination
package import DocentInterfaces
import FoundationEssentials
package import HostCore
import RemoteDocuments
import Rights
import Storage
import Synchronization
package import Varlink

extension CoordinationService {
    package typealias Parameters = DocumentsInterface.Coordinate.Parameters

    // MARK: Granted immediately

    /// Grants a claim during the call itself, without database, messages or tasks: a single access by an unconfined
    /// client to a document whose content is local and that concerns no other party.
    ///
    /// - Returns: nil if more is needed.
    package func coordinateAtOnce(_ session: Session, _ parameters: Parameters) throws -> HeldCall? {
        guard parameters.accesses.count == 1, let access = parameters.accesses.first, !session.principal.isConfined,
            parameters.prepares != true, parameters.knownVersion == nil, access.place.name == nil,
            let location = locateAtOnce(access.place), !location.isFolder
        else { return nil }
        let intent = try ClaimRequest.intent(access)
        switch intent {
        case .reading(let options): guard options.isSubset(of: .withoutChanges) else { return nil }
        case .writing(let options): guard options.isEmpty, parameters.open != true else { return nil }
        }
        let key = location.item.item
        let isOpened = parameters.open == true
        // Opening the document checks the right itself.
        guard isOpened || isGranted(session.principal, location, access.writing ? .readWrite : .read) else {
            return nil
        }
        var request = ClaimRequest(
            party: CoordinationParty(session), session: session, operation: parameters.operation,
            accesses: [ItemAccess(location: location, intent: intent)])
        try fill(&request, parameters)
        guard let id = acquireAtOnce(request) else { return nil }
        do {
            // Opened only after the claim was granted: an earlier writer has invalidated what was known.
            if isOpened {
                if let opened = try documents.openQuickly(session, key, lease: false, claim: id.rawValue),
                    let file = opened.file.take()
                {
                    return held(
                        id, CoordinateCodec.granted(items: [opened.json], file: 0),
                        DescriptorList(OwnedDescriptor(file)), reading: key, session)
                }
            } else if let content = gateway.current(key) {
                return held(id, CoordinateCodec.granted(items: [content.json], file: nil), DescriptorList())
            }
            release(id)
            return nil
        } catch {
            documents.abandonReading(session, claim: id.rawValue)
            release(id)
            throw error
        }
    }

    /// Opens a document that its client has just chosen, under a claim that ends when it is open.
    ///
    /// The document is in use until the client reports otherwise, as after ``ClaimedDocuments/open(_:_:lease:claim:)``.
    ///
    /// - Returns: nil if the claim would have to wait, if presenters would have to be asked, or if content would have
    ///   to be fetched. The client then coordinates, and is told what it waits for.
    package func readAtOnce(_ session: Session, _ item: Wire.Item) async throws -> OpenedDocument? {
        guard item.isDownloaded, !item.isFolder, item.isStale != true, item.symbolicLinkTarget == nil else {
            return nil
        }
        hierarchy.note(item)
        let location = try await locate(
            session, .init(reference: item.reference), .read, followsLinks: false, for: "open"
        ).location
        let request = ClaimRequest(
            party: CoordinationParty(session), session: session,
            accesses: [ItemAccess(location: location, intent: .reading([]))])
        guard !location.isFolder, let id = acquireAtOnce(request) else { return nil }
        defer { release(id) }
        let key = location.item.item
        // Known content is opened only after the claim was granted: an earlier writer has invalidated it.
        if let known = try documents.openQuickly(session, key, lease: false, claim: nil) { return known }
        return try await documents.open(session, key, lease: false, claim: nil)
    }

    private func fill(_ request: inout ClaimRequest, _ parameters: Parameters) throws(Failure) {
        try OperationTable.check(parameters.operation)
        guard (parameters.purpose?.utf8.count ?? 0) <= 255, parameters.purpose?.isEmpty != true else {
            throw Failure(
                .invalidArgument, "A purpose has 1 to 255 bytes.", suggestion: "Use reverse DNS, like org.example.Sync."
            )
        }
        request.purpose = parameters.purpose.map(ClaimRequest.clientPurpose)
        request.statedPurpose = parameters.purpose
        request.presenter = parameters.presenter
        request.within = parameters.within ?? []
        request.answering = parameters.answering ?? []
        request.thread = parameters.thread
        request.deadline = parameters.deadline ?? claimDeadline
        request.isPatient = parameters.deadline == nil
        request.prepares = parameters.prepares == true
    }

    /// - Parameter key: the item that was opened with the claim and is in use only while the claim is held.
    private func held(
        _ id: Claim.Identifier, _ json: [UInt8], _ descriptors: DescriptorList, reading key: ItemKey? = nil,
        _ session: Session? = nil
    ) -> HeldCall {
        // In-place documents are not tracked: their provider has nothing to stop.
        let used = key.flatMap { gateway.wantsStop($0.provider) ? $0 : nil }
        return HeldCall(first: (json, descriptors), last: CoordinateCodec.released) { [weak self] in
            if let key = used, let session { self?.endReading(id, key, session) }
            self?.release(id)
        }
    }

    /// Ends the use of the item that a claim opened, unless its session now presents it. A program that shows a
    /// document goes on using it until it reports otherwise (X5, G11).
    private func endReading(_ id: Claim.Identifier, _ key: ItemKey, _ session: Session) {
        let owner = Claim.Owner(rawValue: session.number)
        let current = aliases.current(key.reference.key).coordinated
        let isPresented = withTable { table in
            table.engine.presenters(of: owner).contains { $0.location.item == current }
        }
        documents.endReading(session, key, claim: id.rawValue, keepsUse: isPresented)
    }

    // MARK: Granted in turn

    /// Waits for the claim's turn, for its presenters and for its content; then holds the claim.
    ///
    /// - Parameter tell: called from time to time with what the claim is waiting for.
    /// - Throws: ``Failure``.
    package func coordinate(
        _ session: Session, _ parameters: Parameters, tell: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> HeldCall {
        var request = ClaimRequest(
            party: CoordinationParty(session), session: session, operation: parameters.operation, accesses: [])
        try fill(&request, parameters)
        guard (1...1000).contains(parameters.accesses.count) else {
            throw Failure(
                .invalidArgument, "A claim covers 1 to 1,000 items.", suggestion: "Prepare larger numbers in portions.")
        }
        request.accesses = try await SeveralAtOnce.map(parameters.accesses) { [self] access in
            let intent = try ClaimRequest.intent(access)
            let found = try await locate(
                session, access.place, access.writing ? .readWrite : .read,
                followsLinks: ItemAccess.followsLinks(intent), for: "coordinate")
            var isResolved = false
            if case .reading(let options) = intent { isResolved = options.contains(.resolvesSymbolicLink) }
            return ItemAccess(location: found.location, intent: intent, link: isResolved ? nil : found.link)
        }
        let operation = parameters.operation
        let teller = Task { [weak self, clock] in
            var told: DocumentsInterface.Coordinate.Reply?
            while let self {
                try await clock.sleep(for: .milliseconds(told == nil ? 250 : 1000))
                guard let update = self.update(session, operation), update != told else { continue }
                told = update
                if let json = try? JSONEncoder().encode(update) { tell(Array(json)) }
            }
        }
        let id: Claim.Identifier
        do {
            defer { teller.cancel() }
            id = try await acquire(request)
        }
        do {
            return try await granted(id, session, parameters)
        } catch {
            documents.abandonReading(session, claim: id.rawValue)
            release(id)
            throw error
        }
    }

    /// The progress of a waiting claim.
    private func update(_ session: Session, _ operation: String) -> DocumentsInterface.Coordinate.Reply? {
        let found = withTable { table in
            let name = OwnedName(owner: Claim.Owner(rawValue: session.number), name: operation)
            return table.claimNames[name].flatMap { id in
                table.claims[id].map { (id, $0.completedBytes, $0.totalBytes) }
            }
        }
        guard let (id, completed, total) = found else { return nil }
        return .init(
            state: "waiting", waitsFor: waitsFor(id), completedBytes: completed.map(Int.init),
            totalBytes: total.map(Int.init))
    }

    private func granted(
        _ id: Claim.Identifier, _ session: Session, _ parameters: Parameters
    ) async throws -> HeldCall {
        // An item that was moved while the claim waited is still the same item (2.5).
        let accesses = withTable { $0.engine.claim(id)?.accesses } ?? []
        guard !accesses.isEmpty else { throw Self.lost }
        var items = try await SeveralAtOnce.map(accesses) { [self] in try await item($0) }
        if let known = parameters.knownVersion, items.first??.isVersion(known) != true {
            throw Failure(
                .claimLost, "The document has changed while the claim was lost.",
                suggestion: "Read it again before you continue.")
        }
        let descriptors = DescriptorList()
        var reading: ItemKey?
        var isReleased = false
        if let first = accesses.first, case .reading(let options) = first.intent {
            let key = first.location.item.item
            if options.contains(.forUploading) {
                let copy = try await snapshot(session, key, isFolder: first.location.isFolder)
                if let number = copy.take() { descriptors.append(OwnedDescriptor(number)) }
                // The copy is the snapshot that is read from here on (2.2).
                release(id)
                isReleased = true
            } else if parameters.open == true, !first.location.isFolder, parameters.prepares != true {
                let opened = try await documents.open(session, key, lease: false, claim: id.rawValue)
                reading = opened.item.reference.key
                if let number = opened.file.take() { descriptors.append(OwnedDescriptor(number)) }
                items[0] = try await told(opened.item, by: first.link)
            }
        } else if parameters.open == true {
            throw Failure(
                .invalidArgument, "Only an access for reading can be opened.", suggestion: "Ask without `open`.")
        }
        let json = CoordinateCodec.granted(
            items: items.map { $0?.hotJSON }, file: descriptors.count > 0 ? 0 : nil)
        guard !isReleased else { return HeldCall(first: (json, descriptors), last: CoordinateCodec.released) {} }
        return held(id, json, descriptors, reading: reading, session)
    }

    private func item(_ access: ItemAccess) async throws -> Wire.Item? {
        guard let item = try await target(access) else { return nil }
        return try await told(item, by: access.link)
    }

    /// What an accessor gets unless it asked to resolve links: the link, with the version and size of its target.
    private func told(_ item: Wire.Item, by link: CoordinatedItem?) async throws -> Wire.Item {
        guard let link else { return item }
        var told = try await gateway.bare(link.item)
        // It may no longer be a link.
        guard told.symbolicLinkTarget != nil else { return item }
        told.version = item.version
        told.formerVersion = item.formerVersion
        told.size = item.size
        return told
    }

    private func target(_ access: ItemAccess) async throws -> Wire.Item? {
        guard !access.location.item.isAbsent else { return nil }
        let key = access.location.item.item
        if let current = gateway.current(key) { return current.item }
        do {
            let item = try await gateway.item(key)
            hierarchy.note(item)
            return item
        } catch let failure as Failure {
            // The item was deleted while a writer waited for it. The writer may create it anew.
            guard failure.code == .notFound, access.isWriting else { throw failure }
            return nil
        }
    }

    private func snapshot(_ session: Session, _ key: ItemKey, isFolder: Bool) async throws -> OpenDescriptor {
        if isFolder {
            let archive = try await session.causing("read for uploading") { try await archiver(key) }
            return try await counted(session, archive)
        }
        let content = try await session.causing("read for uploading") { try await gateway.content(key) }
        let (layout, copies, principal) = (layout, copies, session.principal)
        return try await worker.run { cancellation in
            func copy() throws -> OpenDescriptor {
                try FileCopier.unlinkedCopy(
                    of: content.descriptor.number, in: try Directory(path: layout.stagingDirectory), bound: .max,
                    cancellation: cancellation)
            }
            guard principal.isConfined else { return try copy() }
            let size = try FileStatus(of: content.descriptor.number).size
            return try copies.copy(for: principal, of: nil, size: size, copy)
        }
    }

    // The size is known only once the archive is made.
    private func counted(_ session: Session, _ archive: OpenDescriptor) async throws -> OpenDescriptor {
        guard session.principal.isConfined else { return archive }
        let (copies, principal) = (copies, session.principal)
        return try await worker.run { _ in
            try copies.copy(for: principal, of: nil, size: FileStatus(of: archive.number).size) { archive }
        }
    }
}
