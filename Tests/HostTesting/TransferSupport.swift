package import DocentInterfaces
import ExtensionHosting
import Foundation
package import HostCore
import Rights
import Synchronization
import Testing
package import Transfers

/// Shared by tests of transfers: keys, domains with states set by the test, limits, failures.
package enum TransferSupport {
    package static let start = ContinuousClock.now

    package static func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    package static func key(_ name: String, _ kind: TransferKind = .download, domain: String = "d") -> TransferKey {
        TransferKey(kind: kind, item: ItemKey(provider: "p", domain: domain, identifier: name))
    }

    package static func failure(_ code: FailureCode, retryAfter: Double? = nil) -> Failure {
        ProviderFailures.translate(Failure(code, "\(code)", retryAfter: retryAfter), provider: "p")
    }

    /// Polls until a condition holds.
    package static func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "The condition was not met within a minute.")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// Domains whose states a test sets.
package final class StatedDomains: DomainAvailability {
    private let states = Mutex<[DomainKey: (state: DomainState, probe: ContinuousClock.Instant?)]>([:])
    private let signal = ChangeSignal()

    package init() {}

    package func set(_ state: DomainState, _ domain: String = "d", probe: ContinuousClock.Instant? = nil) {
        states.withLock { $0[DomainKey(provider: "p", domain: domain)] = (state, probe) }
        signal.send()
    }

    package func setOffline(_ domain: String = "d", probe: ContinuousClock.Instant) {
        set(.offline(message: "cable", since: Date(timeIntervalSince1970: 1)), domain, probe: probe)
    }

    package func state(_ provider: String, _ domain: String) -> DomainState {
        states.withLock { $0[DomainKey(provider: provider, domain: domain)]?.state } ?? .ready
    }
    package func nextProbe(_ provider: String, _ domain: String) -> ContinuousClock.Instant? {
        states.withLock { $0[DomainKey(provider: provider, domain: domain)]?.probe }
    }
    package func changes() -> AsyncStream<Void> { signal.stream() }
}

package struct FixedLimit: TransferLimits {
    package var limit: Int

    package init(limit: Int) { self.limit = limit }

    package func maximum(_: String, _: String) -> Int { limit }
}
