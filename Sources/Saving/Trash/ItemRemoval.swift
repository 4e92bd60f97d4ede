import DocentInterfaces
import ExtensionHosting
import HostCore
import Records
import RemoteDocuments
import Rights
import Varlink

/// Asks a provider to delete an item that the user deletes, or to move it to its trash.
struct ItemRemoval: Sendable {
    private let route: ProviderWrites.Route
    private let use: TrashUse

    init(_ route: ProviderWrites.Route, _ use: TrashUse) {
        self.route = route
        self.use = use
    }

    /// Whether the deletion is nothing to take back.
    var isTemporary: Bool { use == .temporary }

    /// Whether the provider is asked to move the item to the trash.
    func usesTrash(_ provider: String) async throws -> Bool {
        guard use != .unused, use != .temporary else { return false }
        switch route {
        case .account(let access, _): return try await access.features(provider).contains("trash")
        case .process(let connection): return connection.features.contains("trash")
        }
    }

    /// Asks the provider to remove the item of a recorded change.
    ///
    /// - Parameters:
    ///   - base: the version that the provider must still have; nil for any.
    ///   - postpone: lets the provider be asked later, where it has no trash for the item; nil if it is asked now.
    ///   - record: records that the item is deleted for good after all, before that is done.
    /// - Returns: the change as it was carried out.
    /// - Throws: ``Failure``, as the provider answers.
    func carryOut(
        _ change: ItemChange, base: String?, isRecursive: Bool,
        postpone: (ItemChange) async throws -> ItemChange? = { _ in nil }, record: (ItemChange) async throws -> Void
    ) async throws -> ItemChange {
        var done = change
        if change.isTrashed == true {
            do {
                done.trashed = try await call(
                    FileProviderInterface.TrashItem.self,
                    .init(
                        domain: change.key.domain, identifier: change.key.identifier, baseVersion: base,
                        operation: change.id), of: change.key
                ).trashed
                return done
            } catch let failure as Failure where failure.kind == .unsupported {
                if use == .required, try await hasTrash(change.key) { throw Self.refused(change, failure) }
                done.isTrashed = false
                if let later = try await postpone(done) { return later }
                try await record(done)
            }
        } else if let later = try await postpone(done) {
            return later
        }
        _ = try await call(
            FileProviderInterface.Delete.self,
            .init(
                domain: change.key.domain, identifier: change.key.identifier, baseVersion: base,
                recursive: isRecursive), of: change.key)
        return done
    }

    /// Whether the item's domain has a trash. Not every domain of a provider with that feature has one.
    private func hasTrash(_ key: ItemKey) async throws -> Bool {
        do {
            _ = try await call(FileProviderInterface.ListTrash.self, .init(domain: key.domain), of: key)
            return true
        } catch let failure as Failure where failure.kind == .unsupported {
            return false
        }
    }

    private static func refused(_ change: ItemChange, _ failure: Failure) -> Failure {
        Failure(
            .notSupported, "\"\(change.name)\" cannot be moved to the trash: \(failure.message)",
            suggestion: "`docent rm --permanently` deletes it for good.", provider: change.key.provider,
            causes: failure.causes)
    }

    private func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of key: ItemKey
    ) async throws -> Method.Reply {
        switch route {
        case .account(let access, let isForced):
            try await access.call(method, parameters, provider: key.provider, domain: key.domain, isForced: isForced)
        case .process(let connection): try await connection.call(method, parameters).value
        }
    }
}
