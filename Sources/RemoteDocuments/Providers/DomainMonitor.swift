package import DocentInterfaces
package import FoundationEssentials
package import HostCore
import Rights
import Synchronization
package import Transfers

/// Which accounts can be used: learned from the outcome of every call, and by an occasional call where they cannot.
///
/// Thread-safe; never waits.
package final class DomainMonitor: DomainAvailability {
    /// What a call shows about its account.
    package enum Outcome: Sendable {
        /// The service answered.
        case reached
        /// The service cannot be reached. Two such calls in quick succession, or a single slow one, take the account
        /// offline.
        case unreachable(message: String, isSlow: Bool)
        /// The service refuses the credential, or there is none.
        case refused(message: String)
        /// The secret is in a keyring that is locked or unavailable.
        case locked(message: String)

        /// Whether only the requested item may be affected. A refused credential always concerns the account and is not
        /// tried needlessly: a service may lock an account after wrong passwords.
        var mayConcernItemAlone: Bool {
            switch self {
            case .unreachable: true
            case .reached, .refused, .locked: false
            }
        }
    }

    /// When to try an account that is not ready.
    package struct Probing: Sendable {
        /// Seconds before the first try after the account went offline; doubled by each further one.
        package var first: Double = 1
        package var longest: Double = 30
        /// The same for an account that is not signed in: a service may lock an account after wrong passwords.
        package var firstSignIn: Double = 2
        package var longestSignIn: Double = 600
        /// The same for an account whose keyring is locked: only the keyring is checked, and it reports being unlocked
        /// anyway.
        package var firstUnlocked: Double = 3
        package var longestUnlocked: Double = 60

        package init() {}
    }

    private struct Account {
        var state = DomainState.ready
        var strikes = 0
        var probes = 0
        var nextProbe: ContinuousClock.Instant?
    }

    private let accounts = Mutex<[DomainKey: Account]>([:])
    private let signal = ChangeSignal()
    private let probing: Probing
    private let clock: any HostClock
    /// Signed-out domains, regardless of the outcomes of calls.
    package let closed: ClosedDomains

    package init(
        probing: Probing = Probing(), closed: ClosedDomains = ClosedDomains(),
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.probing = probing
        self.closed = closed
    }

    // MARK: Asking

    package func state(_ provider: String, _ domain: String) -> DomainState {
        let key = DomainKey(provider: provider, domain: domain)
        if let signOut = closed.state(key) { return signOut == .signedOut ? .signedOut : .signingOut }
        return accounts.withLock { $0[key]?.state } ?? .ready
    }

    package func nextProbe(_ provider: String, _ domain: String) -> ContinuousClock.Instant? {
        accounts.withLock { accounts in
            guard let account = accounts[DomainKey(provider: provider, domain: domain)], account.state != .ready else {
                return nil
            }
            return account.nextProbe
        }
    }

    package func changes() -> AsyncStream<Void> { signal.stream() }

    /// Admits a call. While an account is not ready, only occasional and forced calls pass. A call that passes probes
    /// the account; others wait for the next turn.
    ///
    /// - Throws: ``Failure`` `Unavailable` or `NotAuthenticated`, immediately. For a signed-out domain always, even
    ///   when forced.
    package func admit(
        _ provider: String, _ domain: String, isForced: Bool = false, now moment: ContinuousClock.Instant? = nil
    ) throws(Failure) {
        let now = moment ?? clock.now
        let key = DomainKey(provider: provider, domain: domain)
        try closed.require(key)
        let refusal = accounts.withLock { accounts -> DomainState? in
            guard var account = accounts[key], account.state != .ready else { return nil }
            let isDue = account.nextProbe.map { $0 <= now } ?? true
            guard isDue || isForced else { return account.state }
            // No other call needs to try until the outcome is known.
            account.nextProbe = now + .seconds(delay(account, probes: account.probes + 1))
            accounts[key] = account
            return nil
        }
        switch refusal {
        case .offline:
            var failure = Failure(
                .unavailable, Self.obstacle(key, refusal ?? .ready) ?? "",
                suggestion: "Check the network; `docent refresh` retries at once.", provider: provider)
            failure.providerCode = .serverUnreachable
            throw failure
        case .notAuthenticated:
            throw Failure(
                .notAuthenticated, Self.obstacle(key, refusal ?? .ready) ?? "",
                suggestion: SignInWords.suggestion(key), provider: provider)
        case .locked(let message):
            throw Failure(
                .unavailable, message, suggestion: "Unlock the keyring; Docent then continues by itself.",
                provider: provider)
        case .ready, .signingOut, .signedOut, nil: return
        }
    }

    /// Why an account cannot be used now, in a sentence; nil when it can.
    package func obstacle(_ provider: String, _ domain: String) -> String? {
        Self.obstacle(DomainKey(provider: provider, domain: domain), state(provider, domain))
    }

    private static func obstacle(_ key: DomainKey, _ state: DomainState) -> String? {
        switch state {
        case .ready: nil
        case .offline(let message, let since): "\(key.name) has been offline since \(time(since)): \(message)"
        case .notAuthenticated(let message): "\(key.name) is not signed in: \(message)"
        case .locked(let message): message
        case .signingOut, .signedOut: "\(key.name) is signed out."
        }
    }

    // MARK: Learning

    /// Takes in the outcome of a call.
    package func note(
        _ outcome: Outcome, _ provider: String, _ domain: String, now moment: ContinuousClock.Instant? = nil,
        wall: Date? = nil
    ) {
        let now = moment ?? clock.now
        let key = DomainKey(provider: provider, domain: domain)
        let hasChanged = accounts.withLock { accounts in
            var account = accounts[key] ?? Account()
            let before = account.state
            switch outcome {
            case .reached: account = Account()
            case .unreachable(let message, let isSlow):
                account.strikes += 1
                guard isSlow || account.strikes > 1 || before != .ready else { break }
                if case .offline(_, let since) = before {
                    account.state = .offline(message: message, since: since)
                    account.probes += 1
                } else {
                    account.state = .offline(message: message, since: wall ?? clock.date)
                    account.probes = 1
                }
                account.nextProbe = now + .seconds(delay(account, probes: account.probes))
            case .refused(let message):
                if case .notAuthenticated = before { account.probes += 1 } else { account.probes = 1 }
                account.strikes = 0
                account.state = .notAuthenticated(message: message)
                account.nextProbe = now + .seconds(delay(account, probes: account.probes))
            case .locked(let message):
                if case .locked = before { account.probes += 1 } else { account.probes = 1 }
                account.strikes = 0
                account.state = .locked(message: message)
                account.nextProbe = now + .seconds(delay(account, probes: account.probes))
            }
            accounts[key] = account
            return account.state != before
        }
        if hasChanged { signal.send() }
    }

    /// Lets the next call of these accounts through, whatever their state.
    package func probeNow(where matches: (DomainKey) -> Bool = { _ in true }) {
        accounts.withLock { accounts in
            for key in accounts.keys where matches(key) {
                accounts[key]?.nextProbe = nil
                accounts[key]?.probes = 0
            }
        }
        signal.send()
    }

    /// Forgets the state of an account: its settings or its credential have changed, or it is gone.
    package func reset(_ provider: String, _ domain: String) {
        _ = accounts.withLock { $0.removeValue(forKey: DomainKey(provider: provider, domain: domain)) }
        signal.send()
    }

    /// Makes transfers check again after a domain was closed or opened.
    package func closingChanged() { signal.send() }

    /// Accounts that are not ready, without signed-out ones: those are as their user wants them.
    package var troubled: [DomainKey: DomainState] {
        accounts.withLock { $0.filter { $0.value.state != .ready && closed.state($0.key) == nil }.mapValues(\.state) }
    }

    private func delay(_ account: Account, probes: Int) -> Double {
        let doubled = Double(UInt64(1) << UInt64(min(max(probes, 1) - 1, 20)))
        let (first, longest) =
            switch account.state {
            case .notAuthenticated: (probing.firstSignIn, probing.longestSignIn)
            case .locked: (probing.firstUnlocked, probing.longestUnlocked)
            case .ready, .offline, .signingOut, .signedOut: (probing.first, probing.longest)
            }
        return min(longest, first * doubled) * .random(in: 0.8...1)
    }

    private static func time(_ date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
    }
}
