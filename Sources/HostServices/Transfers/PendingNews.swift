import HostCore
import Synchronization

/// News of an account that a watch has not looked at yet. What is too much becomes "anything may have changed".
/// Thread-safe.
final class PendingNews: Sendable {
    private static let limit = 10_000

    private let state = Mutex(NewsListener.News())

    func add(_ more: NewsListener.News) {
        state.withLock { news in
            if news.isAll { return }
            news.changed += more.changed
            if more.isAll || news.changed.count > Self.limit { news = NewsListener.News(isAll: true) }
        }
    }

    func take() -> NewsListener.News {
        state.withLock { news in
            defer { news = NewsListener.News() }
            return news
        }
    }
}
