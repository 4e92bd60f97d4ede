import DocentInterfaces
package import FoundationEssentials
package import HostCore
package import Records
package import Rights
import Synchronization

/// Holds a client that deletes or replaces too many documents within a minute, until the user allows it; earlier if the
/// saves turn the documents into noise. So a mistaken command or a malicious program stops after the first few
/// documents.
///
/// Thread-safe.
package final class ChangeLimiter: Sendable {
    /// The most documents in a minute, unless the user decides otherwise.
    package static let standard = 50
    /// The most documents in a minute that saves may turn into noise.
    package static let mostNoise = 10
    /// How long a client that the user allows may go on, in seconds.
    package static let allowedSeconds = 600.0
    /// The longest time for which a client can be allowed, in seconds.
    package static let longestSeconds = 24 * 3600.0
    // The windows of more clients than this are looked through for those that have ended.
    private static let manyClients = 256

    private struct State {
        // 0 for none.
        var limit = standard
        var windows: [Principal: ChangeWindow] = [:]
        var noise: [Principal: ChangeWindow] = [:]
        var held: [Principal: HeldClient] = [:]
        var allowed: [Principal: Date] = [:]
    }

    private let store: HoldStore
    private let audit: AuditLog
    private let fixed: Int?
    private let clock: any HostClock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - audit: where it is recorded when a client is held.
    ///   - fixed: the limit of the daemon's environment, 0 for none, which no client can change.
    package init(store: HoldStore, audit: AuditLog, fixed: Int?, clock: any HostClock) {
        self.store = store
        self.audit = audit
        self.fixed = fixed
        self.clock = clock
    }

    /// Reads what is recorded, before any client is served.
    package func load() async throws {
        let (limit, held) = (try await store.limit(), try await store.held())
        let allowed = try await store.allowances(at: clock.date, longest: Self.longestSeconds)
        state.withLock { state in
            state.limit = fixed ?? limit ?? Self.standard
            state.held = Dictionary(held.map { ($0.principal, $0) }) { first, _ in first }
            state.allowed = allowed
        }
    }

    /// The most documents in a minute; 0 for any number.
    package var limit: Int { state.withLock(\.limit) }

    /// Counts documents that a client is about to delete or replace. All sessions of a client count together.
    ///
    /// - Parameter documents: finds out how many there are, of a folder; called only if it matters.
    /// - Throws: ``Failure`` `Held`: nothing may be changed; what finding out throws.
    package func require(
        _ session: Session, _ key: ItemKey, documents: () async throws -> Int = { 1 }
    ) async throws {
        let principal = session.principal
        guard try counts(principal) else { return }
        let documents = try await documents()
        guard let new = try admit(principal, key, documents) else { return }
        try await refuse(new, session, key)
    }

    private func refuse(_ new: HeldClient, _ session: Session, _ key: ItemKey) async throws -> Never {
        // The client is held even if this cannot be recorded.
        try? await store.hold(new)
        try? await audit.recordRefused(
            new.principal, key, .readWrite,
            reason: new.isNoise ? "held: documents turn into noise" : "held: too many changes at once",
            process: session.process, executable: session.executable)
        throw Self.refusal(new)
    }

    /// Counts a document that a client is about to replace, if that turns it into noise. It counts as a replaced
    /// document too, in ``require(_:_:documents:)``.
    ///
    /// - Parameter turnsIntoNoise: looks at the contents; called only if it matters.
    /// - Throws: ``Failure`` `Held`: nothing may be changed.
    package func requireNoNoise(_ session: Session, _ key: ItemKey, turnsIntoNoise: () async -> Bool) async throws {
        let principal = session.principal
        guard try counts(principal), await turnsIntoNoise() else { return }
        guard let new = try admitNoise(principal, key) else { return }
        try await refuse(new, session, key)
    }

    private func admitNoise(_ principal: Principal, _ key: ItemKey) throws(Failure) -> HeldClient? {
        try state.withLock { state throws(Failure) in
            guard state.limit > 0, state.allowed[principal] == nil else { return nil }
            if let held = state.held[principal] { throw Self.refusal(held) }
            if state.noise.count > Self.manyClients { Self.expire(&state.noise, at: clock.now) }
            let isAdmitted = state.noise[principal, default: ChangeWindow()].admit(
                key, limit: Self.mostNoise, at: clock.now)
            guard !isAdmitted else { return nil }
            let held = HeldClient(
                principal: principal, documents: Self.mostNoise + 1, since: clock.date, isNoise: true)
            Self.hold(held, &state)
            return held
        }
    }

    private static func hold(_ held: HeldClient, _ state: inout State) {
        state.held[held.principal] = held
        state.windows[held.principal] = nil
        state.noise[held.principal] = nil
    }

    /// Whether the changes of a client are counted now.
    ///
    /// - Throws: ``Failure`` `Held` if the client is held.
    private func counts(_ principal: Principal) throws(Failure) -> Bool {
        try state.withLock { state throws(Failure) in
            guard state.limit > 0 else { return false }
            if let until = state.allowed[principal] {
                if until > clock.date { return false }
                state.allowed[principal] = nil
            }
            if let held = state.held[principal] { throw Self.refusal(held) }
            return true
        }
    }

    /// Counts a change.
    ///
    /// - Returns: the client, if it is held from now on.
    /// - Throws: ``Failure`` `Held` if the client is held already.
    private func admit(_ principal: Principal, _ key: ItemKey, _ documents: Int) throws(Failure) -> HeldClient? {
        try state.withLock { state throws(Failure) in
            guard state.limit > 0, state.allowed[principal] == nil else { return nil }
            if let held = state.held[principal] { throw Self.refusal(held) }
            if state.windows.count > Self.manyClients { Self.expire(&state.windows, at: clock.now) }
            let isAdmitted = state.windows[principal, default: ChangeWindow()].admit(
                key, documents: documents, limit: state.limit, at: clock.now)
            guard !isAdmitted else { return nil }
            let count = (state.windows[principal]?.documents ?? 0) + documents
            let held = HeldClient(principal: principal, documents: count, since: clock.date)
            Self.hold(held, &state)
            return held
        }
    }

    private static func expire(_ windows: inout [Principal: ChangeWindow], at now: ContinuousClock.Instant) {
        for principal in windows.keys {
            windows[principal]?.expire(at: now)
            if windows[principal]?.documents == 0 { windows[principal] = nil }
        }
    }

    private static func refusal(_ held: HeldClient) -> Failure {
        let name = held.principal.identifier
        let what =
            held.isNoise
            ? "replaces the contents of many documents with what looks like random data"
            : "deletes or replaces many documents at once"
        return Failure(
            .held, "\(name) \(what). Its changes are held until you allow them; this one was not made.",
            suggestion: "See `docent held list`. If it is meant: docent held allow \(name)")
    }

    // MARK: The user

    /// The clients that are held, in the order in which that happened.
    package func held() -> [HeldClient] {
        state.withLock { Array($0.held.values) }.sorted { one, other in
            (one.since, one.principal.identifier) < (other.since, other.principal.identifier)
        }
    }

    /// Lets a client change any number of documents for a while, and holds it no longer. Durable when it returns.
    ///
    /// - Returns: the moment until which it is allowed.
    package func allow(_ principal: Principal, seconds: Double = allowedSeconds) async throws -> Date {
        let until = clock.date.addingTimeInterval(seconds)
        try await store.allow(principal, until: until, at: clock.date)
        state.withLock { state in
            state.held[principal] = nil
            state.windows[principal] = nil
            state.noise[principal] = nil
            state.allowed[principal] = until
        }
        return until
    }

    /// Sets the limit: 0 for none. Durable when it returns. Clients that are held stay so.
    ///
    /// - Throws: ``Failure``: `InvalidArgument` for an impossible number, `NotPermitted` if the daemon's environment
    ///   decides.
    package func setLimit(_ documents: Int) async throws {
        guard (0...Self.greatest).contains(documents) else {
            throw Failure(.invalidArgument, "The limit must be 0 (none) to \(Self.greatest).")
        }
        guard fixed == nil else {
            throw Failure(
                .notPermitted, "The environment of the daemon sets this limit.",
                suggestion: "Change DOCENT_CHANGE_LIMIT and restart the daemon.")
        }
        try await store.setLimit(documents)
        state.withLock { $0.limit = documents }
    }

    /// The greatest limit.
    package static let greatest = 100_000

    /// Reads `DOCENT_CHANGE_LIMIT`: a number of documents from 1, or `off`, which is 0.
    ///
    /// - Returns: nil for anything else.
    package static func limit(_ text: String) -> Int? {
        if text == "off" { return 0 }
        return Int(text).flatMap { (1...greatest).contains($0) ? $0 : nil }
    }
}
