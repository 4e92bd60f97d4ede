import DocentInterfaces
package import HostCore
import Records
import Rights
import Synchronization

/// For how long deletions can be taken back where the provider has no trash. Thread-safe.
package final class DeletionPeriods: Sendable {
    /// The number of seconds, unless the user decides otherwise.
    package static let standard = 3_600
    /// The longest time in seconds: for longer, no change can be taken back.
    package static let longest = 30 * 24 * 3_600

    private let store: DeletionStore
    private let fixed: Int?
    // The rule of all accounts has no key.
    private let rules = Mutex<[DomainKey?: Int]>([:])

    /// - Parameter fixed: what the daemon's environment says, which no client can change.
    init(store: DeletionStore, fixed: Int?) {
        self.store = store
        self.fixed = fixed
    }

    /// Reads a number of seconds of the environment.
    package static func seconds(_ text: String) -> Int? {
        Double(text).flatMap { $0 >= 0 ? Int(min($0, Double(longest)).rounded(.up)) : nil }
    }

    /// Reads the rules, before any client is served.
    func load() async throws {
        let all = try await store.rules()
        rules.withLock { rules in
            rules = Dictionary(all.map { ($0.account.map(DomainKey.init), $0.seconds) }) { _, last in last }
        }
    }

    /// Whether the daemon's environment decides.
    package var isFixed: Bool { fixed != nil }

    /// For how many seconds a deletion in an account can be taken back; 0 for none.
    package func seconds(_ account: DomainKey) -> Int {
        if let fixed { return fixed }
        return rules.withLock { $0[account] ?? $0[.none] } ?? Self.standard
    }

    /// The rules: that of all accounts first, then those of single ones.
    package func all() -> [(account: DomainKey?, seconds: Int)] {
        let (general, own) = rules.withLock { rules in
            (rules[.none] ?? Self.standard, rules.compactMap { entry in entry.key.map { ($0, entry.value) } })
        }
        guard fixed == nil else { return [(nil, fixed ?? 0)] }
        return [(nil, general)] + own.sorted { ($0.0.provider, $0.0.domain) < ($1.0.provider, $1.0.domain) }
    }

    /// Sets or forgets (nil) the rule of an account, or of all of them. Durable when it returns. Deletions that wait
    /// already keep their time.
    ///
    /// - Throws: ``Failure``: `InvalidArgument` for an impossible time, `NotPermitted` if the environment decides.
    package func set(_ seconds: Int?, of account: DomainKey?) async throws {
        guard fixed == nil else {
            throw Failure(
                .notPermitted, "DOCENT_DELETION_GRACE_SECONDS of the service decides this.",
                suggestion: "Change it there, and restart the service.")
        }
        if let seconds, !(0...Self.longest).contains(seconds) {
            throw Failure(
                .invalidArgument, "A deletion can be taken back for at most 30 days.",
                suggestion: "0 deletes for good at once.")
        }
        try await store.setRule(
            seconds,
            of: account.map {
                ItemKey(provider: $0.provider, domain: $0.domain, identifier: ItemKey.rootIdentifier)
            })
        rules.withLock { $0[account] = seconds }
    }
}
