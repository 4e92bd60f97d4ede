import DocentInterfaces
import Foundation
import Isolation
import Synchronization
import Testing

@testable import Host

/// What tests of transfers need: keys, domains whose state is set, limits, failures.
enum TransferSupport {
    static let start = ContinuousClock.now

    static func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    static func key(_ name: String, _ kind: TransferKind = .download, domain: String = "d") -> TransferKey {
        TransferKey(kind: kind, item: ItemKey(provider: "p", domain: domain, identifier: name))
    }

    static func failure(_ code: FailureCode, retryAfter: Double? = nil) -> Failure {
        ProviderFailures.translate(Failure(code, "\(code)", retryAfter: retryAfter), provider: "p")
    }

    /// Polls until something holds.
    static func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "It did not come about within a minute.")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// Domains whose states a test sets.
final class StatedDomains: DomainAvailability {
    private let states = Mutex<[DomainKey: (state: DomainState, probe: ContinuousClock.Instant?)]>([:])
    private let signal = ChangeSignal()

    func set(_ state: DomainState, _ domain: String = "d", probe: ContinuousClock.Instant? = nil) {
        states.withLock { $0[DomainKey(provider: "p", domain: domain)] = (state, probe) }
        signal.send()
    }

    func setOffline(_ domain: String = "d", probe: ContinuousClock.Instant) {
        set(.offline(message: "cable", since: Date(timeIntervalSince1970: 1)), domain, probe: probe)
    }

    func state(_ provider: String, _ domain: String) -> DomainState {
        states.withLock { $0[DomainKey(provider: provider, domain: domain)]?.state } ?? .ready
    }
    func nextProbe(_ provider: String, _ domain: String) -> ContinuousClock.Instant? {
        states.withLock { $0[DomainKey(provider: provider, domain: domain)]?.probe }
    }
    func changes() -> AsyncStream<Void> { signal.stream() }
}

struct FixedLimit: TransferLimits {
    var limit: Int
    func maximum(_: String, _: String) -> Int { limit }
}
