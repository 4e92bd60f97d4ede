import DocentInterfaces
import Rights
import Synchronization

/// Work that runs for clients under their grants, so that it ends when a right is revoked (I3). A fetch that no other
/// party waits for ends with it. Thread-safe.
package final class AccessWaits: Sendable {
    /// One piece of work, and the right that it runs under.
    struct Wait: Sendable {
        let principal: Principal
        let key: ItemKey
        let access: AccessLevel
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var waits: [UInt64: Wait] = [:]
        var revoked: Set<UInt64> = []
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs a body until the right is revoked.
    ///
    /// - Throws: what the body throws; `refusal` if it ended because the right was revoked.
    func run<Result: Sendable>(
        _ principal: Principal, _ key: ItemKey, _ access: AccessLevel, refusal: () -> Failure,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let number = state.withLock { state in
            state.last += 1
            state.waits[state.last] = Wait(principal: principal, key: key, access: access) { task.cancel() }
            return state.last
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        let isRevoked = state.withLock { state in
            state.waits[number] = nil
            return state.revoked.remove(number) != nil
        }
        if isRevoked { throw refusal() }
        return try result.get()
    }

    /// Ends the work that is no longer allowed.
    ///
    /// - Parameter principals: whose work; nil is everyone's.
    func end(_ principals: Set<Principal>?, unless isAllowed: (Wait) -> Bool) {
        let concerned = state.withLock { state in
            state.waits.filter { principals?.contains($0.value.principal) ?? true }
        }
        for (number, wait) in concerned where !isAllowed(wait) {
            let isThere = state.withLock { state in
                guard state.waits[number] != nil else { return false }
                state.revoked.insert(number)
                return true
            }
            if isThere { wait.cancel() }
        }
    }
}
