import Records
package import Rights
import Synchronization

/// The searches whose clients want to learn what changes. Thread-safe.
package final class LiveSearches: Sendable {
    private let searches = Mutex<[ObjectIdentifier: LiveSearch]>([:])

    package init() {}

    func add() -> LiveSearch {
        let search = LiveSearch()
        searches.withLock { $0[ObjectIdentifier(search)] = search }
        return search
    }

    func remove(_ search: LiveSearch) {
        search.end()
        searches.withLock { $0[ObjectIdentifier(search)] = nil }
    }

    private var all: [LiveSearch] { searches.withLock { Array($0.values) } }

    /// Items are different in the index.
    package func note(_ keys: [ItemKey]) {
        guard !keys.isEmpty else { return }
        for search in all { search.note(keys) }
    }

    /// Anything may be different: accounts or rights have changed.
    package func noteAll() { for search in all { search.noteAll() } }

    /// Whether anybody waits for changes.
    var isEmpty: Bool { searches.withLock { $0.isEmpty } }

    /// Waits until each search has sent what was noted before, or is released.
    func settle() async { for search in all { await search.settle() } }

    /// Lets everybody continue who waits for a search: its client does not read.
    func release() { for search in all { search.release() } }
}

/// What a live search has not looked at yet. What is too much becomes "anything may be different". Thread-safe.
final class LiveSearch: Sendable {
    /// What may be different.
    struct News: Hashable, Sendable {
        var keys: [ItemKey] = []
        var isAll = false
    }

    private struct State {
        var news = News()
        var known: Set<ItemKey> = []
        var noted: UInt64 = 0
        var sent: UInt64 = 0
        var taken: UInt64 = 0
        var hasEnded = false
        var waiters: [(number: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private static let most = 2_000
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func note(_ keys: [ItemKey]) {
        state.withLock { state in
            state.noted += 1
            guard !state.news.isAll else { return }
            for key in keys where state.known.insert(key).inserted { state.news.keys.append(key) }
            if state.news.keys.count > Self.most {
                state.news = News(isAll: true)
                state.known = []
            }
        }
        signal.continuation.yield()
    }

    func noteAll() {
        state.withLock { state in
            state.noted += 1
            state.news = News(isAll: true)
            state.known = []
        }
        signal.continuation.yield()
    }

    /// Passes on what may be different, whenever something is, until the task is cancelled. For one caller.
    func deliver(_ body: (News) async throws -> Void) async throws {
        for await _ in signal.stream {
            let news = state.withLock { state in
                state.taken = state.noted
                state.known = []
                defer { state.news = News() }
                return state.news
            }
            if news != News() { try await body(news) }
            let ready = state.withLock { state in
                state.sent = state.taken
                let ready = state.waiters.filter { $0.number <= state.sent }
                state.waiters.removeAll { $0.number <= state.sent }
                return ready
            }
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    /// Waits until everything that was noted before has been passed on.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.hasEnded || state.sent >= state.noted { return true }
                state.waiters.append((state.noted, continuation))
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    /// Stops waiting for this search: its client does not read, or has gone.
    func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Lets everybody who waits continue, without ending.
    func release() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }
}
