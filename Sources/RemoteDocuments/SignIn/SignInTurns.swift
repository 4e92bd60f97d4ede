import DocentInterfaces
package import HostCore
import Rights
import Synchronization

/// Allows one login or logout of a domain at a time; another one is refused in the meantime. Thread-safe.
package final class SignInTurns: Sendable {
    private let running = Mutex<[DomainKey: String]>([:])
    private let locks = ItemLocks()

    package init() {}

    /// Runs a login or a logout.
    ///
    /// - Parameter what: the words for the error message: "signed in" or "signed out".
    /// - Throws: ``Failure`` `Conflict` while another one runs; what the body throws.
    package func run<Result: Sendable>(
        _ domain: DomainKey, _ what: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let other = running.withLock { running -> String? in
            if let other = running[domain] { return other }
            running[domain] = what
            return nil
        }
        if let other {
            throw Failure(
                .conflict, "\(domain.name) is already being \(other).",
                suggestion: "Wait until that is done, or cancel it.", provider: domain.provider)
        }
        defer { running.withLock { _ = $0.removeValue(forKey: domain) } }
        return try await body()
    }

    /// Runs a change of a domain's secret and its record, after any change that is running.
    package func commit<Result: Sendable>(
        _ domain: DomainKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let key = ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        return try await locks.withExactLock(on: key, body)
    }
}
