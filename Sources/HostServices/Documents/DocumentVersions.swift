package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
package import Saving
package import Storage

/// The versions of granted documents. To see them, a client needs the right to read the document; to remove one, settle
/// a conflict, or make a version current, the right to write it. A version of another document does not exist for it,
/// and for a confined client neither does one from before its right (``VersionVisibility``).
package struct DocumentVersions: Sendable {
    /// Names the current version.
    package static let current = "current"
    private static let page = 500
    let service: VersionService
    let documents: DocumentService
    private let coordination: CoordinationService
    private let journal: OperationJournal
    let writes: WriteService
    let packages: PackageService
    let elements: PackageElements
    private let changes: ContentChanges
    private let history: ProviderHistory
    private let host: String

    package init(
        service: VersionService, documents: DocumentService, coordination: CoordinationService,
        journal: OperationJournal, writes: WriteService, packages: PackageService, elements: PackageElements,
        changes: ContentChanges, history: ProviderHistory
    ) {
        self.history = history
        self.service = service
        self.documents = documents
        self.coordination = coordination
        self.journal = journal
        self.writes = writes
        self.packages = packages
        self.elements = elements
        self.changes = changes
        host = InstanceLock.currentHostName()
    }

    var access: AccessControl { documents.access }

    // MARK: Reading

    /// One page of the versions of a document, newest first: the current one, those that are kept here, and those that
    /// only its provider has.
    ///
    /// - Parameters:
    ///   - isUnresolved: only the versions that somebody has to decide about.
    ///   - isLocal: only those on this machine; the provider is not asked.
    ///   - page: where the page begins.
    /// - Returns: the page; with the first, why the versions of the provider are not among them, if it has some.
    package func list(
        _ session: Session, _ key: ItemKey, isUnresolved: Bool = false, isLocal: Bool = false, page: String? = nil
    ) async throws -> (versions: [Wire.DocumentVersion], nextPage: String?, missing: String?) {
        try await access.require(session, key, .read, for: "list the versions of")
        let visibility = try await visibility(session, key)
        if isUnresolved {
            let kept = try await service.versions.conflicts(of: key).reversed().filter(visibility.shows)
            let (taken, next) = try Self.page(kept.map(VersionEntry.kept), after: page)
            return (try await wire(taken, visibility, name: ""), next, nil)
        }
        let item = try await documents.gateway.item(key)
        let kept = try await service.versions.list(of: key).reversed().filter(visibility.shows)
        let (earlier, missing) =
            try await isLocal ? ([], nil) : earlier(item, session, visibility, isFresh: page == nil)
        let entries = VersionEntry.merge(kept, earlier.filter { !$0.isCurrent(item) })
        let (taken, next) = try Self.page(entries, after: page)
        var result = try await wire(taken, visibility, name: item.name)
        if page == nil { result.insert(try await current(item, visibility), at: 0) }
        return (result, next, page == nil ? missing : nil)
    }

    private static func page(
        _ entries: [VersionEntry], after page: String?
    ) throws(Failure) -> (taken: ArraySlice<VersionEntry>, next: String?) {
        var rest = entries[...]
        if let page {
            guard let last = rest.firstIndex(where: { $0.name == page }) else {
                throw Failure(
                    .conflict, "The versions have changed meanwhile.", suggestion: "List them again from the start.")
            }
            rest = rest[(last + 1)...]
        }
        let taken = rest.prefix(Self.page)
        return (taken, taken.count < rest.count ? taken.last?.name : nil)
    }

    private func wire(
        _ entries: ArraySlice<VersionEntry>, _ visibility: VersionVisibility, name: String
    ) async throws -> [Wire.DocumentVersion] {
        var result: [Wire.DocumentVersion] = []
        for entry in entries {
            guard let version = entry.kept else {
                if let earlier = entry.earlier { result.append(visibility.shown(earlier.wire(named: name))) }
                continue
            }
            var wire = Self.wire(version, visibility)
            if version.isUnresolved { wire.base = try await base(of: version, visibility) }
            if let earlier = entry.earlier {
                wire.identifier = entry.name
                wire.isAtProvider = true
                wire.author = earlier.author
                wire = visibility.shown(wire, savedBy: version.savedBy)
            }
            result.append(wire)
        }
        return result
    }

    /// The versions that the provider of a document has and the client may see, newest first, or why they are missing.
    private func earlier(
        _ item: Wire.Item, _ session: Session, _ visibility: VersionVisibility, isFresh: Bool
    ) async throws -> ([EarlierContent], missing: String?) {
        guard !item.isFolder, item.symbolicLinkTarget == nil else { return ([], nil) }
        do {
            let found = try await history.versions(of: item.reference.key, isFresh: isFresh) ?? []
            return (found.filter(visibility.shows), nil)
        } catch let failure as Failure where failure.kind != .cancelled {
            guard !session.principal.isConfined else { return ([], "The provider cannot be asked now.") }
            return ([], failure.message)
        }
    }

    /// What both sides of a conflict started from: the content that the provider had when the first of the saves began
    /// that it has not taken.
    ///
    /// - Returns: nil if it is not kept, or does not exist for the client.
    private func base(of version: KeptVersion, _ visibility: VersionVisibility) async throws -> String? {
        guard let origin = try await ConflictOrigin.find(version, in: journal) else { return nil }
        return origin.content(among: try await service.versions.list(of: version.key).filter(visibility.shows))?.id
    }

    // The caller has checked the right, which may have been revoked since.
    func visibility(_ session: Session, _ key: ItemKey) async throws -> VersionVisibility {
        guard let ground = await access.currentGround(session.principal, key, .read) else {
            throw Failure(.notPermitted, "The right to this document was revoked.")
        }
        return VersionVisibility(session.principal, by: ground)
    }

    private func current(
        _ item: Wire.Item, _ visibility: VersionVisibility
    ) async throws -> Wire.DocumentVersion {
        let origin = try await journal.origin(
            of: item.reference.key, version: item.version, operation: LocalVersion(item.version)?.operation)
        let version = Wire.DocumentVersion(
            identifier: Self.current, name: item.name, isCurrent: true, size: item.size,
            modificationDate: item.modificationDate ?? origin?.saved.timeIntervalSince1970,
            savedBy: origin?.savedBy.wire, host: origin == nil ? nil : host, hasLocalContents: item.isDownloaded,
            isPackage: elements.isPackage(item) ? true : nil)
        return visibility.shown(version, savedBy: origin?.savedBy)
    }

    /// Opens a version that is not the current one for reading. What only the provider has is fetched.
    ///
    /// - Parameters:
    ///   - path: the file to open in the version of a package.
    ///   - progress: receives the bytes fetched so far, and how many there will be, if known.
    /// - Throws: ``Failure``: `NotPermitted`; `NotFound` for a version of another document, and when its content is
    ///   gone; `InvalidArgument` for a package without a path, and for a path in a file.
    package func open(
        _ session: Session, _ key: ItemKey, _ identifier: String, path: String? = nil,
        progress: @escaping @Sendable (Int, Int?) -> Void = { _, _ in }
    ) async throws -> (version: Wire.DocumentVersion, file: OpenDescriptor) {
        try await access.require(session, key, .read, for: "open a version of")
        let visibility = try await visibility(session, key)
        guard let earlier = try await earlierVersion(identifier, of: key, visibility) else {
            let version = try await require(
                kept(identifier, of: key, visibility)?.id ?? identifier, of: key, visibility)
            let file = try await service.open(version, path: path)
            return (Self.wire(version, visibility), try await documents.handed(session, file))
        }
        guard path == nil else { throw VersionService.notPackage }
        let file = try await history.fetch(earlier, of: key, for: session.principal, progress: progress)
        // The right may have been revoked while it was fetched.
        guard await access.stillAllows(session, key, .read) else { throw AccessControl.refusal(session, .read) }
        let name = try await documents.gateway.item(key).name
        return (visibility.shown(earlier.wire(named: name)), try await documents.handed(session, file))
    }

    /// The version that only the provider has, if the name is that of one; nil otherwise.
    private func earlierVersion(
        _ name: String, of key: ItemKey, _ visibility: VersionVisibility
    ) async throws -> EarlierContent? {
        guard try await kept(name, of: key, visibility) == nil, let found = try await history.version(name, of: key),
            visibility.shows(found)
        else { return nil }
        return found
    }

    /// The content that is kept here of a version with the provider's name; nil if there is none.
    private func kept(
        _ name: String, of key: ItemKey, _ visibility: VersionVisibility
    ) async throws -> KeptVersion? {
        guard let found = try await history.version(name, of: key) else { return nil }
        let kept = try await service.versions.list(of: key).reversed().filter(visibility.shows)
        return VersionEntry.merge(kept, [found]).first { $0.earlier != nil }?.kept
    }

    // MARK: Changing

    /// Makes a kept version the content of its document: a save like any other, which can be taken back because its
    /// replaced content is kept as a version. May be repeated with the same operation.
    ///
    /// - Parameters:
    ///   - operation: the client's name for the save.
    ///   - claim: the writing claim that covers it; without one, a claim is made for the moment of publishing.
    /// - Returns: the document as it is now.
    package func restore(
        _ session: Session, _ key: ItemKey, _ identifier: String, operation: String, claim: String? = nil
    ) async throws -> Wire.Item {
        try await access.require(session, key, .readWrite, for: "restore a version of")
        let known = try await journal.outcome(operation, session.principal)
        if known.map({ $0.state == .open || $0.state == .abandoned }) ?? true {
            let source: OpenDescriptor
            let visibility = try await visibility(session, key)
            if let earlier = try await earlierVersion(identifier, of: key, visibility) {
                do {
                    source = try await history.fetch(earlier, of: key, for: session.principal)
                } catch let failure as Failure where failure.kind == .unsupported && !session.principal.isConfined {
                    return try await revert(session, key, earlier, operation, claim)
                }
            } else {
                let version = try await require(
                    kept(identifier, of: key, visibility)?.id ?? identifier, of: key, visibility)
                if version.isPackage {
                    return try await restore(session, key, version, operation: operation, claim: claim)
                }
                source = try await service.open(version)
            }
            do {
                try await fill(session, key, from: source, operation, claim)
            } catch {
                // In a task of its own: this one may be cancelled.
                await Task { try? await writes.abandon(session, operation) }.value
                throw error
            }
        }
        return try await writes.commit(session, operation, claim: claim, isRestoring: true)
    }

    /// Lets the provider restore a version whose content it does not deliver. This cannot be undone from here; what it
    /// replaces is one of the provider's versions.
    private func revert(
        _ session: Session, _ key: ItemKey, _ version: EarlierContent, _ operation: String, _ claim: String?
    ) async throws -> Wire.Item {
        try await coordination.withClaim(session, claim: claim, writing: key) { [documents, history] record in
            let base = try await documents.gateway.item(key).version
            let item = try await history.revert(key, to: version, base: base, operation: operation)
            record.changed(item.reference.key, version: item.version)
            return item
        }
    }

    // The staged file is closed again when this returns, so that it is saved without another copy.
    private func fill(
        _ session: Session, _ key: ItemKey, from source: OpenDescriptor, _ operation: String, _ claim: String?
    ) async throws {
        let staged = try await writes.begin(session, key, replacing: true, operation: operation, claim: claim).file
        try await documents.worker.run { cancellation in
            try withExtendedLifetime((source, staged)) {
                _ = try FileCopier.copy(
                    from: source.number, to: staged.number, bound: .max, cancellation: cancellation)
            }
        }
    }

    /// Keeps content beside a document as a version of it. Presenters are notified.
    ///
    /// - Parameters:
    ///   - file: a regular file that is open for reading.
    ///   - name: what it is called; nil for the name of the document.
    ///   - modified: when the content was made, in seconds since 1970; nil for now.
    package func add(
        _ session: Session, _ key: ItemKey, from file: OpenDescriptor, operation: String, name: String?,
        modified: Double?
    ) async throws -> Wire.DocumentVersion {
        try await access.require(session, key, .readWrite, for: "add a version of")
        let name = try name.map { try ItemPath.name($0) }
        guard modified.map({ (0...253_402_300_799).contains($0) }) ?? true else {
            throw Failure(.invalidArgument, "This is not a date between 1970 and 9999.")
        }
        try await documents.worker.run { _ in _ = try ForeignDescriptor.check(file.number, access: .readOnly) }
        let identifier = try await writes.addVersion(
            session, key, from: file, operation: operation, name: name,
            modified: modified.map(Date.init(timeIntervalSince1970:)), worker: documents.worker)
        let version = try await service.require(identifier)
        guard version.key == key else { throw VersionService.unknown(identifier) }
        changes.versionKept(identifier, of: key, isGone: false)
        changes.descriptionChanged(key)
        return Self.wire(version, try await visibility(session, key))
    }

    /// Removes versions permanently. A confined client removes only those of conflicts: what saves have replaced is
    /// kept for the user, also against a program that overwrites what it may write.
    ///
    /// - Parameter identifiers: nil for all that the client may remove, except those that somebody has to decide about.
    /// - Returns: how many were removed.
    /// - Throws: ``Failure``: `NotPermitted`; `NotFound` before anything is removed; `InvalidArgument` for the current
    ///   version.
    package func remove(_ session: Session, _ key: ItemKey, _ identifiers: [String]?) async throws -> Int {
        try await access.require(session, key, .readWrite, for: "remove a version of")
        let visibility = try await visibility(session, key)
        var chosen: [KeptVersion] = []
        if let identifiers {
            guard !identifiers.contains(Self.current) else {
                throw Failure(
                    .invalidArgument, "The current version is the document itself.",
                    suggestion: "Name a version that is kept beside it.")
            }
            for identifier in Set(identifiers) {
                guard try await earlierVersion(identifier, of: key, visibility) == nil else {
                    throw Failure(
                        .notSupported, "Only the service has this version, and it alone decides how long it keeps it.",
                        provider: key.provider)
                }
            }
            for identifier in Set(identifiers) {
                let name = try await kept(identifier, of: key, visibility)?.id ?? identifier
                chosen.append(try await require(name, of: key, visibility))
            }
        } else {
            chosen = try await service.versions.list(of: key).filter { !$0.isUnresolved && visibility.shows($0) }
        }
        if session.principal.isConfined {
            guard identifiers == nil || chosen.allSatisfy(\.reason.isConflict) else {
                throw Failure(
                    .notPermitted, "What saves have replaced is kept for the user, and only the user removes it.",
                    suggestion: "`docent versions remove` does, outside of the sandbox.")
            }
            chosen = chosen.filter(\.reason.isConflict)
        }
        for version in chosen {
            try Task.checkCancellation()
            try await service.remove(version)
        }
        return chosen.count
    }

    /// Settles conflicts: these versions are ordinary ones from now on. Presenters are notified.
    ///
    /// - Throws: ``Failure``: `NotPermitted` without the right to write the document; `NotFound` for a version that
    ///   does not exist for the client.
    package func settle(_ session: Session, _ key: ItemKey, _ identifiers: [String]) async throws {
        // Without a right, the error is that of the next call.
        if session.principal.isConfined, let visibility = try? await visibility(session, key) {
            let hidden = Set(try await service.versions.list(of: key).filter { !visibility.shows($0) }.map(\.id))
            if let unseen = identifiers.first(where: hidden.contains) { throw VersionService.unknown(unseen) }
        }
        try await coordination.resolved(session, key, versions: identifiers)
        if try await !service.versions.settle(Set(identifiers), of: key).isEmpty {
            changes.descriptionChanged(key)
        }
    }

    // A version of another document is not revealed.
    func require(
        _ identifier: String, of key: ItemKey, _ visibility: VersionVisibility
    ) async throws -> KeptVersion {
        let version = try await service.require(identifier)
        guard version.key == key, visibility.shows(version) else { throw VersionService.unknown(identifier) }
        return version
    }

    private static func wire(_ version: KeptVersion, _ visibility: VersionVisibility) -> Wire.DocumentVersion {
        let wire = Wire.DocumentVersion(
            identifier: version.id, name: version.name, reason: version.reason.rawValue,
            isConflict: version.reason.isConflict ? true : nil,
            isResolved: version.reason.isConflict && !version.isUnresolved ? true : nil, size: Int(version.size),
            modificationDate: (version.modified ?? version.created).timeIntervalSince1970,
            created: version.created.timeIntervalSince1970, savedBy: version.savedBy?.wire, host: version.host,
            hasLocalContents: true, isPackage: version.isPackage ? true : nil)
        return visibility.shown(wire, savedBy: version.savedBy)
    }
}
