package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
import RemoteDocuments
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
    private let service: VersionService
    private let documents: DocumentService
    private let coordination: CoordinationService
    private let journal: OperationJournal
    private let writes: WriteService
    private let changes: ContentChanges
    private let host: String

    package init(
        service: VersionService, documents: DocumentService, coordination: CoordinationService,
        journal: OperationJournal, writes: WriteService, changes: ContentChanges
    ) {
        self.service = service
        self.documents = documents
        self.coordination = coordination
        self.journal = journal
        self.writes = writes
        self.changes = changes
        host = InstanceLock.currentHostName()
    }

    private var access: AccessControl { documents.access }

    // MARK: Reading

    /// One page of the versions of a document, newest first. The first begins with the current one.
    ///
    /// - Parameters:
    ///   - isUnresolved: only the versions that somebody has to decide about.
    ///   - page: where the page begins.
    package func list(
        _ session: Session, _ key: ItemKey, isUnresolved: Bool = false, page: String? = nil
    ) async throws -> (versions: [Wire.DocumentVersion], nextPage: String?) {
        try await access.require(session, key, .read, for: "list the versions of")
        let visibility = try await visibility(session, key)
        let kept =
            try await isUnresolved
            ? service.versions.conflicts(of: key) : service.versions.list(of: key)
        var rest = Array(kept.reversed().filter(visibility.shows))[...]
        var result: [Wire.DocumentVersion] = []
        if let page {
            guard let last = rest.firstIndex(where: { $0.id == page }) else {
                throw Failure(
                    .conflict, "The versions have changed meanwhile.", suggestion: "List them again from the start.")
            }
            rest = rest[(last + 1)...]
        } else if !isUnresolved {
            result.append(try await current(documents.gateway.item(key), visibility))
        }
        let taken = rest.prefix(Self.page)
        result += taken.map { Self.wire($0, visibility) }
        return (result, taken.count < rest.count ? taken.last?.id : nil)
    }

    // The caller has checked the right, which may have been revoked since.
    private func visibility(_ session: Session, _ key: ItemKey) async throws -> VersionVisibility {
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
            savedBy: origin?.savedBy.wire, host: origin == nil ? nil : host, hasLocalContents: item.isDownloaded)
        return visibility.shown(version, savedBy: origin?.savedBy)
    }

    /// Opens a kept version for reading.
    ///
    /// - Throws: ``Failure``: `NotPermitted`; `NotFound` for a version of another document.
    package func open(
        _ session: Session, _ key: ItemKey, _ identifier: String
    ) async throws -> (version: Wire.DocumentVersion, file: OpenDescriptor) {
        try await access.require(session, key, .read, for: "open a version of")
        let visibility = try await visibility(session, key)
        let version = try await require(identifier, of: key, visibility)
        return (Self.wire(version, visibility), try await documents.handed(session, service.open(version)))
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
            let source = try await service.open(require(identifier, of: key, visibility(session, key)))
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
            for identifier in Set(identifiers) { chosen.append(try await require(identifier, of: key, visibility)) }
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
    private func require(
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
            hasLocalContents: true)
        return visibility.shown(wire, savedBy: version.savedBy)
    }
}
