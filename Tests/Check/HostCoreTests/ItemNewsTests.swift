import HostCore
import HostTesting
import Rights
import Storage
import Synchronization
import Testing

/// What those who show documents are told.
@Suite(.timeLimit(.minutes(2))) struct ItemNewsTests {
    private static func key(_ identifier: String, domain: String = "d") -> ItemKey {
        ItemKey(provider: "org.example.p", domain: domain, identifier: identifier)
    }

    /// The news that a listener gets, until one satisfies a condition.
    private static func news(
        _ changes: ContentChanges, until isLast: @escaping @Sendable (NewsListener.News) -> Bool,
        _ body: () -> Void
    ) async throws -> [NewsListener.News] {
        let listener = changes.told.listen(to: DomainKey(key("")))
        defer { changes.told.remove(listener) }
        body()
        let received = Mutex<[NewsListener.News]>([])
        do {
            try await listener.deliver { news in
                received.withLock { $0.append(news) }
                if isLast(news) { throw CancellationError() }
            }
        } catch is CancellationError {}
        return received.withLock { $0 }
    }

    @Test("each change of the account is told once, however it came about, and others' are not")
    func changes() async throws {
        let changes = ContentChanges(cache: DocumentCache(capacity: 4))
        let news = try await Self.news(changes, until: { _ in true }) {
            changes.contentChanged(Self.key("1"))
            changes.descriptionChanged(Self.key("2"))
            changes.descriptionChanged(Self.key("1"))
            changes.entriesChanged(Self.key("folder"))
            changes.moved(Self.key("2"), to: Self.key("3"))
            changes.contentChanged(Self.key("4", domain: "other"))
        }
        #expect(news == [.init(changed: ["1", "2", "folder", "3"], isAll: false)])
    }

    @Test("what is not taken in time becomes one message that anything may have changed")
    func overflow() async throws {
        let changes = ContentChanges(cache: DocumentCache(capacity: 4))
        let news = try await Self.news(changes, until: { _ in true }) {
            for number in 0...(NewsListener.limit + 5) { changes.contentChanged(Self.key("\(number)")) }
        }
        #expect(news == [.init(changed: [], isAll: true)])
    }

    @Test("a provider of which nothing is certain any more is told as a whole", arguments: [nil, "d", "other"])
    func provider(_ domain: String?) async throws {
        let changes = ContentChanges(cache: DocumentCache(capacity: 4))
        let news = try await Self.news(changes, until: { _ in true }) {
            changes.providerChanged("org.example.p", domain: domain)
            changes.contentChanged(Self.key("1"))
        }
        #expect(news.first == (domain == "other" ? .init(changed: ["1"]) : .init(isAll: true)))
    }
}
