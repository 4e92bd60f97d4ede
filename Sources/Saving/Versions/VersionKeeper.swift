import DocentInterfaces
import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
import Storage

/// Puts aside what a save is about to replace, before the save is committed: so a full disk refuses the save and not
/// the version, and the provider replaces nothing that is not safe.
///
/// The content of in-place documents is copied, sharing its blocks if the file system can. Their provider replaces the
/// file inside its sandbox, from which nothing can be linked or renamed to here. The local copy of a remote document
/// gets a second name. Content that is not on this machine is not fetched for this.
package struct VersionKeeper: Sendable {
    let gateway: DocumentGateway
    let parts: RemoteParts
    private let logger: Logger
    /// What applies to each document.
    package let policies: VersionPolicies

    package init(gateway: DocumentGateway, parts: RemoteParts, policies: VersionPolicies, logger: Logger) {
        self.gateway = gateway
        self.parts = parts
        self.policies = policies
        self.logger = logger
    }

    /// Puts aside what a write session will replace. Idempotent.
    ///
    /// - Parameter isRestoring: whether an earlier version takes its place. That can always be taken back, so the
    ///   content is kept even where saves keep nothing.
    /// - Throws: ``Failure`` `NoSpace` if there is no room, and the user did not decide to go on without a version.
    package func prepare(_ row: JournaledOperation, _ given: ItemKey, isRestoring: Bool = false) async throws {
        guard row.kind == .write, !row.isNew else { return }
        try await keeping(given, isRestoring: isRestoring) { reason in
            try await keep(row, given, reason)
        }
    }

    /// Keeps something of a document, unless the user does not want that. Without room the user has decided whether the
    /// save goes on; any other failure is only logged.
    func keeping(
        _ given: ItemKey, isRestoring: Bool, _ body: (VersionStore.Reason) async throws -> Void
    ) async throws {
        let policy = await policies.policy(of: given)
        guard policy.isKept || isRestoring else { return }
        do {
            try await body(isRestoring ? .replaced : .superseded)
        } catch let error as FileSystemError where error.code == .noSpace {
            guard policy.whenFull == .refuse || isRestoring else { return note(error, given) }
            throw Failure(
                .noSpace, "There is no room to keep the content that would be replaced, so nothing was saved.",
                suggestion: "Free some space. To save without keeping it: docent versions keep --when-full drop",
                provider: given.provider)
        } catch let error as CancellationError {
            throw error
        } catch {
            note(error, given)
        }
    }

    private func keep(
        _ row: JournaledOperation, _ key: ItemKey, _ reason: VersionStore.Reason
    ) async throws {
        if try await parts.knows(key) { return try await keepCopy(row, key, reason) }
        let content = try await gateway.content(key)
        // If somebody else has saved meanwhile, the provider keeps that beside the document.
        guard row.baseVersion.map(content.item.isVersion) ?? true else { return }
        // It would be thinned out at once.
        let size = Int64(content.item.size ?? 0)
        if reason == .superseded, try await size > parts.superseded.room(policies.global) { return }
        try await parts.superseded.keep(copyOf: content.descriptor, for: row, as: reason)
    }

    // Under the lock, because the end of an upload moves the copy to another identifier.
    private func keepCopy(_ row: JournaledOperation, _ given: ItemKey, _ reason: VersionStore.Reason) async throws {
        try await parts.locks.withLock(on: given) {
            let key = try await parts.current(given)
            guard let local = try await parts.index.item(key)?.local else { return }
            try await parts.places.keepReplaced(by: row.id, local, of: key, as: reason)
        }
    }

    private func note(_ error: any Error, _ key: ItemKey) {
        logger.notice(
            "a content that a save replaces is not kept",
            metadata: ["item": "\(key.identifier)", "why": "\(FailureMapping.failure(error).message)"])
    }
}
