import DocentInterfaces
package import HostCore
import Rights
import Synchronization

/// One at a time of all that signs a domain in or out: what comes meanwhile is told so. Thread-safe.
package final class SignInTurns: Sendable {
    private let running = Mutex<[DomainKey: String]>([:])
    private let locks = ItemLocks()

    package init() {}

    /// Runs a login or a logout.
    ///
    /// - Parameter what: for the sentence: "signed in" or "signed out".
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
                .conflict, "\(domain.name) is being \(other) at this moment.",
                suggestion: "Wait for it, or end it.", provider: domain.provider)
        }
        defer { running.withLock { _ = $0.removeValue(forKey: domain) } }
        return try await body()
    }

    /// Runs what changes the secret of a domain and what is recorded of it, after whoever does so now.
    package func commit<Result: Sendable>(
        _ domain: DomainKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let key = ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        return try await locks.withExactLock(on: key, body)
    }
}
