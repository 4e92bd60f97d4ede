import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Synchronization
import Testing
import Varlink

@testable import HostServices

/// What clients see of the transfers of a document or a folder (N6).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct TransferWatchTests {
    private static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")

    /// What a client was sent.
    private final class Watched: Sendable {
        private let state = Mutex<(replies: [TransferWatch.Reply], failure: Failure?)>(([], nil))
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(_ host: TestHost, _ key: ItemKey, by principal: Principal = tool) {
            let session = host.session(principal)
            let running = Task { [self, watch = host.services.watch] in
                do {
                    try await watch.follow(session, key.reference) { self.take($0) }
                } catch {
                    self.fail(error)
                }
            }
            task.withLock { $0 = running }
        }

        func stop() { task.withLock { $0?.cancel() } }

        private func take(_ reply: TransferWatch.Reply) { state.withLock { $0.replies.append(reply) } }
        private func fail(_ error: any Error) { state.withLock { $0.failure = error as? Failure } }

        var replies: [TransferWatch.Reply] { state.withLock { $0.replies } }
        var failure: Failure? { state.withLock { $0.failure } }
        /// Names of those that were shown, with their state.
        var seen: Set<String> { Set(replies.flatMap { $0.transfers.map { "\($0.name) \($0.state)" } }) }
        var ended: [String] { replies.flatMap { ($0.ended ?? []).map { "\($0.name) \($0.state)" } } }
        var isIdle: Bool { replies.last.map { $0.running + $0.waiting == 0 } ?? false }
    }

    private static func eventually(_ condition: () async throws -> Bool) async throws {
        try await TransferSupport.eventually(condition)
    }

    private static func pin(_ host: TestHost, _ path: String) async throws {
        _ = try await host.services.remoteAdministrator.pin(
            location: TestProviderKind.remote.place(path), pinned: true)
    }

    @Test("N6: of a folder, everything below it is shown with a total, and nothing else; each end is told")
    func folder() async throws {
        try await TestHost.with { host in
            let (store, kind) = (host.store(.remote), TestProviderKind.remote)
            let folder = store.addFolder("Reports")
            let below = store.addFolder("2026", in: folder)
            for (name, parent) in [("a.txt", folder), ("b.txt", below), ("other.txt", ".root")] {
                store.add(name, "12345", in: parent)
            }
            let gates = (0..<3).map { _ in store.hold(.fetch) }
            // Pinning lists the folder itself.
            _ = try await host.services.gateway.listing(of: kind.key(below), path: nil, page: nil)
            for path in ["/Reports", "/other.txt"] { try await Self.pin(host, path) }
            await gates[0].reached()
            let watched = Watched(host, kind.key(folder))
            defer { watched.stop() }
            try await Self.eventually { watched.replies.last.map { $0.running + $0.waiting == 2 } ?? false }
            let first = try #require(watched.replies.first)
            #expect(first.item?.name == "Reports" && first.ended == nil && first.failed == 0)
            let last = try #require(watched.replies.last)
            #expect(last.totalBytes == 10 && last.completedBytes == 0 && last.isCut == nil)
            #expect(Set(last.transfers.map(\.name)) == ["a.txt", "b.txt"])
            let all = try await host.services.watch.look(host.session(Self.tool), kind.root.reference)
            #expect(all.running + all.waiting == 3)
            for gate in gates { gate.open() }
            try await Self.eventually { watched.ended.count == 2 && watched.isIdle }
            #expect(Set(watched.ended) == ["a.txt finished", "b.txt finished"])
            #expect(watched.seen.allSatisfy { !$0.hasPrefix("other") })
            #expect(watched.replies.last?.totalBytes == nil)
        }
    }

    @Test("N6: of a document, its own state is told when it has arrived, and again when its copy is gone")
    func document() async throws {
        try await TestHost.with { host in
            let (store, kind) = (host.store(.remote), TestProviderKind.remote)
            let key = kind.key(store.add("a.txt", "12345"))
            let watched = Watched(host, key)
            defer { watched.stop() }
            try await Self.eventually { watched.replies.count == 1 }
            #expect(watched.replies.first?.item?.isDownloaded == false && watched.isIdle)
            #expect(try await host.client().read(key) == "12345")
            try await Self.eventually { watched.replies.contains { $0.item?.isDownloaded == true } }
            try await Self.eventually { watched.ended == ["a.txt finished"] }
            let count = watched.replies.count
            _ = try await host.services.remoteAdministrator.evict(location: kind.place("/a.txt"))
            try await Self.eventually { watched.replies.dropFirst(count).contains { $0.item?.isDownloaded == false } }
        }
    }

    @Test("N6: what is saved is shown while it is sent, and why it cannot be sent, also to a new watcher")
    func upload() async throws {
        try await TestHost.with { host in
            let (store, kind) = (host.store(.remote), TestProviderKind.remote)
            let key = kind.key(store.add("a.txt", "old"))
            try await host.grant(key)
            let gate = store.hold(.modify)
            let watched = Watched(host, kind.root)
            defer { watched.stop() }
            try await host.client().save(key, "new")
            await gate.reached()
            try await Self.eventually { watched.seen.contains("a.txt running") }
            let running = try #require(watched.replies.last?.transfers.first)
            #expect(running.kind == "upload" && running.reference == key.reference)
            let identifier = try #require(
                try await host.services.transfers.transfers(provider: nil).first?.identifier)
            try await host.services.transfers.cancel(identifier)
            try await Self.eventually { watched.replies.last?.failed == 1 }
            #expect(watched.isIdle && watched.replies.last?.transfers.first?.message != nil)
            let now = try await host.services.watch.look(host.session(Self.tool), key.reference)
            #expect(now.failed == 1 && now.transfers.map(\.state) == ["failed"])
        }
    }

    @Test("N6: a confined client learns only of what it may read, and nothing from the moment on that it may not")
    func confined() async throws {
        try await TestHost.with { host in
            let (store, kind) = (host.store(.remote), TestProviderKind.remote)
            let folder = store.addFolder("Reports")
            let (inside, outside) = (store.add("in.txt", "in", in: folder), store.add("secret.txt", "out"))
            let gates = (0..<3).map { _ in store.hold(.fetch) }
            for path in ["/Reports", "/secret.txt"] { try await Self.pin(host, path) }
            await gates[0].reached()
            #expect(writer.isConfined)
            for key in [kind.key(folder), kind.key(inside), kind.key(outside), kind.root, kind.key("no such")] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.watch.look(host.session(), key.reference)
                }
                #expect(failure?.code == .notPermitted)
                let refused = Watched(host, key, by: writer)
                try await Self.eventually { refused.failure?.code == .notPermitted }
                #expect(refused.replies.isEmpty)
            }
            try await host.grant(kind.key(inside), .read)
            let document = Watched(host, kind.key(inside), by: writer)
            try await Self.eventually { !document.replies.isEmpty }
            #expect(document.replies.last?.transfers.map(\.name) == ["in.txt"])
            let refused = Watched(host, kind.key(folder), by: writer)
            try await Self.eventually { refused.failure?.code == .notPermitted }
            try await host.grant(kind.key(folder), .read, to: viewer)
            let whole = Watched(host, kind.key(folder), by: viewer)
            try await Self.eventually { !whole.replies.isEmpty }
            #expect(whole.replies.last?.transfers.map(\.name) == ["in.txt"])
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer))
            try await Self.eventually { document.failure?.code == .notPermitted }
            let count = document.replies.count
            for gate in gates { gate.open() }
            try await Self.eventually { whole.ended == ["in.txt finished"] }
            #expect(document.replies.count == count)
            #expect((whole.seen.union(whole.ended)).allSatisfy { !$0.contains("secret") })
            whole.stop()
        }
    }

    @Test("N6: a confined client is not told why an account cannot be reached, an unconfined one is")
    func unreachable() async throws {
        try await TestHost.with { host in
            let (store, kind) = (host.store(.remote), TestProviderKind.remote)
            let key = kind.key(store.add("a.txt", "a"))
            try await host.grant(key, .read)
            _ = try await host.services.gateway.item(key)
            store.fail(.fetch, .serverUnreachable, times: 1_000)
            try await Self.pin(host, "/a.txt")
            try await Self.eventually {
                try await host.services.watch.look(host.session(Self.tool), key.reference).transfers.first.map {
                    ["paused", "retrying"].contains($0.state) && $0.message != nil
                } ?? false
            }
            let told = try await host.services.watch.look(host.session(), key.reference)
            #expect(told.transfers.count == 1 && told.transfers.allSatisfy { $0.message == nil })
            #expect(told.waiting == 1 && told.running == 0)
        }
    }

    @Test("a confined client cannot watch without limit, and what is gone cannot be watched")
    func limits() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.remote
            let key = kind.key(host.store(.remote).add("a.txt", "a"))
            try await host.grant(key, .read)
            var all: [Watched] = []
            for _ in 0..<PrincipalLimits.watches.confined.each { all.append(Watched(host, key, by: writer)) }
            try await Self.eventually { all.allSatisfy { $0.replies.count == 1 } }
            let more = Watched(host, key, by: writer)
            try await Self.eventually { more.failure != nil }
            #expect(more.failure?.message.contains("maximum") == true)
            for watched in all { watched.stop() }
            let gone = Watched(host, kind.key("no such"))
            try await Self.eventually { gone.failure?.code == .notFound }
        }
    }
}
