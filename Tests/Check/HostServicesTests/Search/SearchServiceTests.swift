import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Saving
import Testing
import Varlink

@testable import HostServices

/// Searching in all accounts (K12, K13, K16), and searches that stay (K3, K11).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct SearchServiceTests {
    private static func with(_ body: (SearchWorld) async throws -> Void) async throws {
        try await TestHost.with { try await body(SearchWorld(host: $0)) }
    }

    @Test("K12: documents in place and elsewhere are found in their folders, and nothing is downloaded")
    func finds() async throws {
        try await Self.with { world in
            let host = world.host
            host.store(.inPlace).add("Plan Müller.txt", in: host.store(.inPlace).addFolder("inside"))
            host.store(.remote).add("plan b.txt", in: host.store(.remote).addFolder("Archive"))
            host.store(.remote).add("unrelated.txt")
            let answer = try await world.findInAll("plan")
            #expect(answer.names.sorted() == ["Plan Müller.txt", "plan b.txt"] && answer.gaps.isEmpty)
            #expect(Set(answer.items.compactMap(\.path)) == ["/inside/Plan Müller.txt", "/Archive/plan b.txt"])
            #expect(try await world.find("muller").names == ["Plan Müller.txt"])
            #expect(try await world.find("archive plan").names == ["plan b.txt"])
            #expect(try await world.find("state:cloud plan").names == ["plan b.txt"])
            #expect(host.store(.remote).calls(.fetch).isEmpty && host.store(.inPlace).calls(.open).isEmpty)
        }
    }

    @Test("K12: a query that cannot be understood, and a limit without sense, are refused")
    func refused() async throws {
        try await Self.with { world in
            for (text, limit) in [("newer:never", nil), ("a", 0), ("a", 10_001)] as [(String, Int?)] {
                let failure = await #expect(throws: Failure.self) { _ = try await world.find(text, limit: limit) }
                #expect(failure?.code == .invalidArgument, "\(text)")
            }
        }
    }

    @Test("K13: a confined client finds what it was granted and what lies in it, without paths, and no more")
    func confined() async throws {
        try await Self.with { world in
            let host = world.host
            let (store, kind) = (host.store(.inPlace), TestProviderKind.inPlace)
            let (folder, other) = (store.addFolder("granted"), store.addFolder("secret"))
            store.add("plan inside.txt", in: folder)
            store.add("plan secret.txt", in: other)
            let single = store.add("plan single.txt", in: other)
            host.store(.remote).add("plan remote.txt")
            #expect(try await world.findInAll("plan").names.count == 4)
            try await host.grant(kind.key(folder), .read)
            try await host.grant(kind.key(single), .read)
            let answer = try await world.find("plan", by: writer)
            #expect(answer.names.sorted() == ["plan inside.txt", "plan single.txt"])
            #expect(answer.items.allSatisfy { $0.path == nil })
            #expect(answer.gaps.allSatisfy { $0.provider == kind.identifier && $0.message == nil })
            #expect(try await world.find("secret plan", by: writer).names.isEmpty)
            #expect(try await world.find("plan", by: viewer).names.isEmpty)
            #expect(try await world.find("plan", grantedTo: writer.identifier).names.count == 2)
            for folders in [[kind.root], [kind.key(other)]] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await world.find("plan", by: writer, folders: folders)
                }
                #expect(failure?.code == .notPermitted)
            }
            let failure = await #expect(throws: Failure.self) {
                _ = try await world.find("plan", by: writer, grantedTo: viewer.identifier)
            }
            #expect(failure?.code == .notPermitted)
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer))
            #expect(try await world.find("plan", by: writer).names.isEmpty)
        }
    }

    @Test("K13: a confined client makes nobody list folders")
    func listsNothing() async throws {
        try await Self.with { world in
            let host = world.host
            let item = host.store(.remote).add("plan.txt")
            try await host.grant(TestProviderKind.remote.key(item), .read)
            _ = try await world.find("plan", by: writer)
            #expect(host.store(.remote).calls(.children).isEmpty && host.store(.inPlace).calls(.children).isEmpty)
        }
    }

    @Test("K16: what is signed out or disabled is not found from that moment on, and the answer says so")
    func closed() async throws {
        try await Self.with { world in
            let host = world.host
            host.store(.remote).add("plan remote.txt")
            host.store(.inPlace).add("plan local.txt")
            #expect(try await world.findInAll("plan").names.count == 2)
            let remote = DomainKey(TestProviderKind.remote.root)
            host.services.remote.monitor.closed.close(remote, .signedOut)
            let answer = try await world.find("plan")
            #expect(answer.names == ["plan local.txt"] && answer.gap(.remote) == ["signedOut"])
            host.services.remote.monitor.closed.open(remote)
            #expect(try await world.find("plan").names.count == 2)
            _ = try await host.services.registry.disable(TestProviderKind.inPlace.identifier)
            #expect(try await world.find("plan").names == ["plan remote.txt"])
        }
    }

    @Test(
        "K3, K11: what a client creates is in running searches before its call returns",
        arguments: [TestProviderKind.inPlace, .remote])
    func created(kind: TestProviderKind) async throws {
        try await Self.with { world in
            let host = world.host
            host.store(kind).add("plan old.txt")
            _ = try await world.findInAll("plan")
            try await host.grant(kind.root)
            let live = LiveAnswer()
            let running = try await Self.follow(world, "plan", live)
            try await TransferSupport.eventually { live.isGathered }
            #expect(live.names == ["plan old.txt"])
            let client = host.client()
            try await client.begin(new: "plan new.txt", in: kind.root, "text", operation: "create")
            _ = try await client.commit("create")
            #expect(live.names == ["plan new.txt", "plan old.txt"])
            running.cancel()
        }
    }

    @Test("K3: what a client renames, makes and deletes is in running searches before its calls return")
    func changed() async throws {
        try await Self.with { world in
            let (host, kind) = (world.host, TestProviderKind.inPlace)
            let item = kind.key(host.store(kind).add("plan.txt"))
            _ = try await world.findInAll("plan")
            try await host.grant(kind.root)
            let live = LiveAnswer()
            let running = try await Self.follow(world, "plan", live)
            try await TransferSupport.eventually { live.isGathered }
            let (session, mover) = (host.session(), host.services.mover)
            _ = try await mover.move(session, item, to: nil, name: "other.txt", operation: "1")
            #expect(live.names.isEmpty)
            _ = try await mover.move(session, item, to: nil, name: "new plan.txt", operation: "2")
            #expect(live.names == ["new plan.txt"])
            _ = try await mover.makeFolder(session, in: kind.root, name: "plans", operation: "3")
            #expect(live.names == ["new plan.txt", "plans"])
            _ = try await mover.delete(session, item, version: nil, isRecursive: false, operation: "4")
            #expect(live.names == ["plans"])
            running.cancel()
        }
    }

    @Test("K11, K13: a live search follows changes of rights; a client may not have very many")
    func rights() async throws {
        try await Self.with { world in
            let host = world.host
            let item = host.store(.inPlace).add("plan.txt")
            _ = try await world.findInAll("plan")
            let live = LiveAnswer()
            let running = try await Self.follow(world, "plan", live, by: writer)
            try await TransferSupport.eventually { live.isGathered }
            #expect(live.names.isEmpty)
            try await host.grant(TestProviderKind.inPlace.key(item), .read)
            try await TransferSupport.eventually { live.names == ["plan.txt"] }
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer))
            try await TransferSupport.eventually { live.names.isEmpty }
            var others: [Task<Void, Never>] = []
            var answers: [LiveAnswer] = []
            for _ in 0..<PrincipalLimits.liveSearches.confined.each {
                answers.append(LiveAnswer())
                others.append(try await Self.follow(world, "plan", answers[answers.count - 1], by: writer))
            }
            try await TransferSupport.eventually { answers.contains { $0.failure?.contains("maximum") == true } }
            for task in others + [running] { task.cancel() }
        }
    }

    @Test("K18: a client that does not read holds up no change for longer than a moment")
    func unread() async throws {
        try await Self.with { world in
            let host = world.host
            host.store(.inPlace).add("plan.txt")
            _ = try await world.findInAll("plan")
            try await host.grant(TestProviderKind.inPlace.root)
            let session = host.session(SearchWorld.tool)
            let request = try await world.search.request(session, .init(query: "plan"))
            let live = LiveAnswer()
            let running = Task { [search = world.search] in
                try? await search.follow(session, request) { reply in
                    live.take(reply)
                    if case .changed = reply { try await Task.sleep(for: .seconds(3600)) }
                }
            }
            try await TransferSupport.eventually { live.isGathered }
            let client = host.client()
            let began = ContinuousClock.now
            for number in 0..<3 {
                try await client.begin(
                    new: "plan \(number).txt", in: TestProviderKind.inPlace.root, "x", operation: "o\(number)")
                _ = try await client.commit("o\(number)")
            }
            #expect(ContinuousClock.now - began < .seconds(60))
            running.cancel()
        }
    }

    private static func follow(
        _ world: SearchWorld, _ text: String, _ live: LiveAnswer, by principal: Principal = SearchWorld.tool
    ) async throws -> Task<Void, Never> {
        let session = world.host.session(principal)
        let request = try await world.search.request(session, .init(query: text))
        return Task { [search = world.search] in
            do {
                try await search.follow(session, request) { live.take($0) }
            } catch { live.fail(error) }
        }
    }
}
