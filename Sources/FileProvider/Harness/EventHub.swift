import DocentInterfaces
import Synchronization

/// Collects a provider's events until the host takes them. Events are merged into sets; beyond one limit they become a
/// resync.
final class EventHub: Sendable {
    typealias Event = FileProviderInterface.Events.Reply

    private struct News {
        var changed: Set<ExactText> = []
        var deleted: Set<ExactText> = []
        var resync = false
    }

    private struct State {
        var news: [String: News] = [:]
        var log: [(domain: String, message: String)] = []
        var listener: AsyncStream<Void>.Continuation?
    }

    private static let maximumIdentifiers = 4_000
    private static let maximumLogLines = 100
    private static let maximumLogLength = 4_000

    private let state = Mutex(State())

    func add(changed: [String], domain: String) {
        let changed = changed.map(ExactText.init)
        update { state in
            Self.merge(into: &state.news[domain, default: News()]) { news in
                news.changed.formUnion(changed)
                news.deleted.subtract(changed)
            }
        }
    }

    func add(deleted: [String], domain: String) {
        let deleted = deleted.map(ExactText.init)
        update { state in
            Self.merge(into: &state.news[domain, default: News()]) { news in
                news.deleted.formUnion(deleted)
                news.changed.subtract(deleted)
            }
        }
    }

    func addResync(domain: String) {
        update { $0.news[domain] = News(resync: true) }
    }

    func add(log message: String, domain: String) {
        update { state in
            if state.log.count >= Self.maximumLogLines { state.log.removeFirst() }
            state.log.append((domain, String(message.prefix(Self.maximumLogLength))))
        }
    }

    /// Becomes the one listener. The stream of an earlier listener ends. Each element means that ``take()`` has
    /// something.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let earlier = state.withLock { state in
            defer { state.listener = continuation }
            return state.listener
        }
        earlier?.finish()
        continuation.yield()
        return stream
    }

    /// Takes all events, in messages of at most a thousand identifiers.
    func take() -> [Event] {
        let (news, log) = state.withLock { state in
            defer {
                state.news = [:]
                state.log = []
            }
            return (state.news, state.log)
        }
        var events = log.map { Event(kind: "log", domain: $0.domain, identifiers: [], message: $0.message) }
        for (domain, news) in news {
            if news.resync { events.append(Event(kind: "resync", domain: domain, identifiers: [])) }
            for (kind, identifiers) in [("changed", news.changed), ("deleted", news.deleted)] {
                let all = identifiers.map(\.text)
                for start in stride(from: 0, to: all.count, by: 1_000) {
                    let part = Array(all[start..<min(start + 1_000, all.count)])
                    events.append(Event(kind: kind, domain: domain, identifiers: part))
                }
            }
        }
        return events
    }

    private static func merge(into news: inout News, _ body: (inout News) -> Void) {
        guard !news.resync else { return }
        body(&news)
        if news.changed.count + news.deleted.count > maximumIdentifiers { news = News(resync: true) }
    }

    private func update(_ body: (inout State) -> Void) {
        let listener = state.withLock { state in
            body(&state)
            return state.listener
        }
        listener?.yield()
    }
}
