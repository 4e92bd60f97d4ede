import Coordination
import DocentInterfaces
import HostCore
import RemoteDocuments
package import Rights

extension CoordinationService {
    /// Removes a local copy if its presenters agree, inside a claim of the host. It does not wait for other claims,
    /// because their holders may be waiting for the space. A presenter that refuses or does not answer in time keeps
    /// the copy.
    package func withEviction<Result: Sendable>(
        of key: ItemKey, name: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard isBusy else { return try await body() }
        var known = hierarchy.cached(key, mayBeStale: true)
        if known == nil { known = try? await hierarchy.location(key) }
        let location = known ?? ItemLocation(item: key.coordinated)
        let holder = withTable { table in
            table.claims.values.first { $0.accesses.contains { $0.location.unit == location.unit } }?.party.words
        }
        if let holder { throw Self.stays(name, "\(holder) has a claim on it.", "Try again when it has been released.") }
        var request = ClaimRequest(
            party: .daemon, accesses: [ItemAccess(location: location, intent: .writing(.forEvicting))])
        // Another claim may have been granted in the meantime.
        request.deadline = presenterDeadline * 2
        let id: Claim.Identifier
        do {
            id = try await acquire(request)
        } catch let failure as Failure {
            guard failure.code != .cancelled else { throw failure }
            throw Self.stays(name, failure.message, failure.suggestion ?? "Close it there, then try again.")
        }
        defer { release(id) }
        return try await body()
    }

    private static func stays(_ name: String, _ reason: String, _ suggestion: String) -> Failure {
        Failure(.conflict, "\"\(name)\" stays here: \(reason)", suggestion: suggestion)
    }

    /// The presented items of remote providers. They are polled for changes as often as items in use (complaint 11).
    package var presentedItems: Set<ItemKey> {
        let items = withTable { table in Set(table.presenters.values.lazy.map(\.item).filter { !$0.isAbsent }) }
        return Set(items.map(\.item).filter { gateway.isKnownRemote($0.provider) })
    }
}
