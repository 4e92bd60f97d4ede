import Coordination
package import DocentInterfaces
package import HostCore
import RemoteDocuments
package import Rights

extension CoordinationService {
    /// Presents an item for a client until the task is cancelled (J1). The first message is `registered`, followed by
    /// `didChange` if the client has read another version.
    ///
    /// - Parameter send: suspends while the client is not reading.
    /// - Throws: ``Failure``; what `send` throws.
    package func present(
        _ session: Session, _ parameters: DocumentsInterface.Present.Parameters,
        _ send: (PresenterMailbox.Message) async throws -> Void
    ) async throws {
        try Self.check(parameters.presenter)
        let location = try await locate(session, parameters.place, .read, for: "present").location
        let party = CoordinationParty(session)
        let mailbox = PresenterMailbox()
        let id = try add(parameters, location, session, party, mailbox)
        defer { remove(id) }
        // Asked after the presenter was added, so that no change in between is missed.
        let item = location.item.isAbsent ? nil : try? await gateway.item(location.item.item)
        if let item {
            hierarchy.note(item)
            withTable { table in
                let isShared = table.presenters.contains { other, entry in
                    other != id && (entry.item == location.item || location.folders.contains(entry.item))
                }
                if !isShared || table.told[location.item] == nil { table.told[location.item] = item.version }
            }
        }
        try await send(.init(kind: "registered", item: item, version: item?.version))
        if let stated = parameters.version, let item, !item.isVersion(stated) {
            try await send(
                .init(
                    kind: "didChange", subject: item.reference, version: item.version,
                    uncoordinated: true))
        }
        if location.isFolder { await list(location.item.item) }
        // The provider may have begun to watch before there was anything to compare with.
        if !location.item.isAbsent, observers.isWatched(location.item.item) {
            Task { [weak self] in await self?.compare(location.item.item) }
        }
        try await mailbox.deliver(send)
        try Task.checkCancellation()
        throw Failure(
            .cancelled, "The presenter \(parameters.presenter) was removed, or its right was revoked.",
            suggestion: "Add it again.")
    }

    private func add(
        _ parameters: DocumentsInterface.Present.Parameters, _ location: ItemLocation, _ session: Session,
        _ party: CoordinationParty, _ mailbox: PresenterMailbox
    ) throws(Failure) -> Presenter.Identifier {
        var outcome: Result<Presenter.Identifier, Failure> = .failure(Failure(.failed, "The presenter was not added."))
        // A presenter that is added again replaces the earlier one.
        let former = withTable { $0.presenterNames[OwnedName(owner: party.owner, name: parameters.presenter)] }
        if let former { remove(former) }
        // Before the presenter exists, so that its removal never comes first.
        observers.add(location.item) { [weak self] in await self?.beganWatching($0) }
        change { table in
            let number = table.nextNumber()
            let presenter = Presenter(
                id: Presenter.Identifier(rawValue: number), owner: party.owner, location: location,
                thread: parameters.thread)
            let entry = PresenterEntry(
                party: party, principal: session.principal, name: parameters.presenter,
                purpose: parameters.purpose.map(ClaimRequest.clientPurpose) ?? "presenter:\(number)",
                mailbox: mailbox, observed: location.item, item: location.item)
            do throws(Failure) {
                guard !session.hasEnded else { throw Failure(.cancelled, "The session has ended.") }
                let actions = try table.add(presenter, entry)
                outcome = .success(presenter.id)
                return actions
            } catch {
                outcome = .failure(error)
                return []
            }
        }
        if case .failure = outcome { observers.remove(location.item) }
        return try outcome.get()
    }

    /// Removes a presenter. Does nothing if it was already removed.
    func remove(_ id: Presenter.Identifier) {
        var observed: CoordinatedItem?
        // Whoever removes it also ends its observation, once, even if its session ends at the same time.
        change { table in
            observed = table.presenters[id]?.observed
            return table.remove(id)
        }
        if let observed { observers.remove(observed) }
    }

    // Lists a presented folder, so that new items in it can be recognised later.
    private func list(_ folder: ItemKey) async {
        await eachChild(of: folder) { item in
            hierarchy.note(item)
            withTable { table in
                let key = item.reference.key.coordinated
                if table.told[key] == nil { table.told[key] = item.version }
            }
        }
    }

    private func eachChild(of folder: ItemKey, _ body: (Wire.Item) -> Void) async {
        var page: String?
        for _ in 0..<50 {
            guard let listed = try? await gateway.children(of: folder, page: page) else { return }
            listed.items.forEach(body)
            page = listed.nextPage
            guard page != nil else { return }
        }
    }

    /// Called when a provider has started, with the items that are observed: a new process does not know what an
    /// earlier one was asked to watch.
    package func watchAgain(_ items: [ItemKey]) {
        observers.watchAgain(items) { [weak self] in await self?.beganWatching($0) }
    }

    /// Called when a provider has begun to watch a presented item: it reports later changes only, so the item, and the
    /// children of a folder, are compared with what presenters know.
    private func beganWatching(_ key: ItemKey) async {
        if await compare(key)?.isFolder == true { await eachChild(of: key, compare) }
    }

    @discardableResult
    private func compare(_ key: ItemKey) async -> Wire.Item? {
        guard let item = try? await gateway.item(key) else {
            // It may be gone.
            look(key)
            return nil
        }
        compare(item)
        return item
    }

    private func compare(_ item: Wire.Item) {
        let key = item.reference.key
        let told = withTable { $0.presenters.isEmpty ? nil : $0.told[key.coordinated] }
        if let told, item.version != nil, !item.isVersion(told) { contentChanged(key) }
    }

    /// Accepts a presenter's answer to a message.
    ///
    /// - Throws: ``Failure`` `NotFound` if this session has no such message to answer.
    package func answer(
        _ session: Session, presenter: String, message: String, error: String?
    ) throws(Failure) {
        let owner = Claim.Owner(rawValue: session.number)
        let id = UInt64(message).map(PresenterMessage.Identifier.init(rawValue:))
        let isAsked = withTable { table in
            guard let id, let asked = table.asked[id] else { return false }
            return table.presenterNames[OwnedName(owner: owner, name: presenter)] == asked.presenter
        }
        guard let id, isAsked else {
            throw Failure(
                .notFound, "The presenter \(presenter) was not asked this, or its time to answer has run out.",
                suggestion: "Nothing needs to be done.")
        }
        change { $0.answer(id, .answered(id, error: error)) }
    }

    static func check(_ name: String) throws(Failure) {
        guard (1...200).contains(name.utf8.count) else {
            throw Failure(.invalidArgument, "A presenter's name has 1 to 200 bytes.", suggestion: "Use a UUID.")
        }
    }
}
