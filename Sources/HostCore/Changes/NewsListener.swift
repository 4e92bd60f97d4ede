import Synchronization

/// One who is told what has changed in an account. What is not taken in time becomes "anything may have changed".
/// Thread-safe.
package final class NewsListener: Sendable {
    /// What has changed since the last time.
    package struct News: Hashable, Sendable {
        /// The identifiers of items, each once, in the order in which they changed first.
        package var changed: [String] = []
        /// Whether anything may have changed.
        package var isAll = false

        package init(changed: [String] = [], isAll: Bool = false) {
            self.changed = changed
            self.isAll = isAll
        }
    }

    private struct State {
        var news = News()
        var known: Set<BytewiseIdentifier> = []
    }

    // Equal in the sense of Unicode is not the same identifier.
    private struct BytewiseIdentifier: Hashable {
        let text: String

        static func == (first: Self, second: Self) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

        func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
    }

    /// The largest number of identifiers that wait.
    package static let limit = 1000

    let account: DomainKey
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(account: DomainKey) { self.account = account }

    func note(_ identifier: String) {
        let isNew = state.withLock { state in
            guard !state.news.isAll, state.known.insert(BytewiseIdentifier(text: identifier)).inserted else {
                return false
            }
            state.news.changed.append(identifier)
            if state.news.changed.count > Self.limit { state = State(news: News(isAll: true)) }
            return true
        }
        if isNew { signal.continuation.yield() }
    }

    func noteAll() {
        state.withLock { $0 = State(news: News(isAll: true)) }
        signal.continuation.yield()
    }

    /// Passes on what has changed, whenever something has, until the task is cancelled. Only one caller may use it.
    package func deliver(_ send: (News) async throws -> Void) async throws {
        for await _ in signal.stream {
            let news = state.withLock { state in
                defer { state = State() }
                return state.news
            }
            if news != News() { try await send(news) }
        }
    }
}
