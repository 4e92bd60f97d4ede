import RemoteDocuments
import Synchronization
import Testing

@Suite("Who has a document open, and when its provider is notified that it is no longer in use")
struct RemoteUsageTests {
    private let key = RemoteSample.key("a")

    @Test("D10: the provider is notified once, after the last user has gone")
    func last() {
        var table = UsageTable()
        table.opened(key, by: "1")
        table.opened(key, by: "1")
        table.opened(key, by: "2")
        let told1 = table.closed(key, by: "1")
        #expect(!told1)
        let told2 = table.closed(key, by: "1")
        #expect(!told2)
        #expect(table.isInUse(key))
        let told3 = table.closed(key, by: "2")
        #expect(told3)
        #expect(!table.isInUse(key))
        let told4 = table.closed(key, by: "1")
        #expect(!told4)
    }

    @Test("D10: a session that ended, also by a crash, no longer uses anything")
    func crash() {
        var table = UsageTable()
        let other = RemoteSample.key("b")
        table.opened(key, by: "1")
        table.opened(other, by: "1")
        table.opened(other, by: "2")
        let told5 = table.ended("1")
        #expect(told5 == [key])
        let told6 = table.ended("2")
        #expect(told6 == [other])
        let told7 = table.ended("2")
        #expect(told7.isEmpty)
    }

    @Test("2.10: the notification waits until a running fetch has ended")
    func fetching() {
        var table = UsageTable()
        table.opened(key, by: "1")
        table.fetchBegan(key)
        let told8 = table.closed(key, by: "1")
        #expect(!told8)
        let told9 = table.fetchEnded(key)
        #expect(told9)
        let told10 = table.fetchEnded(key)
        #expect(!told10)
    }

    @Test("a fetch that no client used ends without a notification")
    func background() {
        var table = UsageTable()
        table.fetchBegan(key)
        let told11 = table.fetchEnded(key)
        #expect(!told11)
        #expect(table.inUse.isEmpty)
    }

    @Test("F2: a document whose identifier changes keeps its users")
    func rekey() {
        var table = UsageTable()
        let new = RemoteSample.key("new")
        table.opened(key, by: "1")
        table.rekey(key, to: new)
        #expect(table.isInUse(new))
        let told12 = table.closed(new, by: "1")
        #expect(told12)
    }

    @Test("2.10: a fetch waits for a notification that is being sent", .timeLimit(.minutes(1)))
    func ordered() async throws {
        let events = Mutex<[String]>([])
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let usage = DocumentUsage { _ in
            events.withLock { $0.append("stop") }
            for await _ in gate { break }
            events.withLock { $0.append("stopped") }
        }
        usage.opened(key, by: "1")
        usage.closed(key, by: "1")
        while events.withLock({ $0.isEmpty }) { await Task.yield() }
        async let fetch: Void = usage.whileFetching(key) { events.withLock { $0.append("fetch") } }
        opener.yield()
        try await fetch
        #expect(events.withLock { $0 } == ["stop", "stopped", "fetch"])
    }
}
