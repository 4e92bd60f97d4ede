import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Saving
import Testing

@testable import HostServices

/// The documents used last, and the favourites, in a host in this process (K19, K20).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct RecentServiceTests {
    private static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")

    private static func list(
        _ host: TestHost, _ principal: Principal = tool, client: String? = nil, limit: Int? = nil
    ) async throws -> [Wire.RecentItem] {
        let session = host.session(principal)
        defer { host.end(session) }
        return try await host.services.recents.list(session, client: client, limit: limit)
    }

    private static func names(_ host: TestHost, _ principal: Principal = tool) async throws -> [String] {
        try await list(host, principal).map(\.item.name)
    }

    /// A right, and reading with it.
    private static func open(
        _ host: TestHost, _ key: ItemKey, by principal: Principal, leavesTrace: Bool = true
    ) async throws {
        try await host.grant(key, to: principal)
        let session = host.session(principal)
        if !leavesTrace { session.leaveNoTrace() }
        _ = try await host.services.documents.open(session, key, lease: false)
        host.end(session)
    }

    @Test(
        "K19: what clients open and save is in the list, with its path, the last one first",
        arguments: [TestProviderKind.inPlace, .remote])
    func used(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            let (a, b) = (kind.key(store.add("a.txt", "a")), kind.key(store.add("b.txt", "b")))
            try await Self.open(host, a, by: Self.tool)
            host.clock.advance(by: .seconds(5))
            try await Self.open(host, b, by: writer)
            host.clock.advance(by: .seconds(5))
            #expect(try await Self.names(host) == ["b.txt", "a.txt"])
            try await host.client(Self.tool).save(a, "new")
            let all = try await Self.list(host)
            #expect(all.map(\.item.name) == ["a.txt", "b.txt"])
            #expect(all.map(\.item.path) == ["/a.txt", "/b.txt"])
            #expect(all.map(\.client) == [Self.tool.identifier, writer.identifier])
            #expect(try await Self.list(host, client: writer.identifier).map(\.item.name) == ["b.txt"])
            #expect(try await Self.list(host, limit: 1).count == 1)
            for limit in [0, 1_001] {
                let failure = await #expect(throws: Failure.self) { _ = try await Self.list(host, limit: limit) }
                #expect(failure?.code == .invalidArgument)
            }
        }
    }

    @Test("K19: a renamed document is in the list under its new name, and one that is gone is not")
    func changed() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            let (a, b) = (kind.key(host.store(kind).add("a.txt")), kind.key(host.store(kind).add("b.txt")))
            for key in [a, b] { try await Self.open(host, key, by: Self.tool) }
            try await host.grant(kind.root, to: Self.tool)
            _ = try await host.services.mover.move(
                host.session(Self.tool), a, to: nil, name: "renamed.txt", operation: "1")
            host.store(kind).remove(b.identifier)
            #expect(try await Self.names(host) == ["renamed.txt"])
        }
    }

    @Test("K19: a client that leaves no trace, or that the user excludes, is not in the list")
    func unrecorded() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            let key = kind.key(host.store(kind).add("a.txt"))
            try await Self.open(host, key, by: Self.tool, leavesTrace: false)
            #expect(try await Self.names(host).isEmpty)
            let recents = host.services.recents
            #expect(try await recents.remember(false, client: Self.tool.identifier) == [Self.tool.identifier])
            try await Self.open(host, key, by: Self.tool)
            #expect(try await Self.names(host).isEmpty)
            #expect(try await recents.remember(true, client: Self.tool.identifier).isEmpty)
            try await Self.open(host, key, by: Self.tool)
            #expect(try await Self.names(host) == ["a.txt"])
            #expect(try await recents.remember(false, client: nil) == [""])
            #expect(try await Self.names(host).isEmpty)
            let failure = await #expect(throws: Failure.self) {
                _ = try await recents.remember(false, client: "no client")
            }
            #expect(failure?.code == .invalidArgument)
        }
    }

    @Test("K19: a confined client sees and forgets only what it used itself and may still read, without paths")
    func confined() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            let (a, b) = (kind.key(host.store(kind).add("a.txt")), kind.key(host.store(kind).add("b.txt")))
            try await Self.open(host, a, by: writer)
            try await Self.open(host, b, by: writer)
            try await Self.open(host, b, by: Self.tool)
            #expect(writer.isConfined)
            let own = try await Self.list(host, writer)
            #expect(Set(own.map(\.item.name)) == ["a.txt", "b.txt"])
            #expect(own.allSatisfy { $0.item.path == nil && $0.client == nil })
            #expect(try await Self.names(host, viewer).isEmpty)
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer, item: b))
            #expect(try await Self.names(host, writer) == ["a.txt"])
            let failure = await #expect(throws: Failure.self) {
                _ = try await Self.list(host, writer, client: Self.tool.identifier)
            }
            #expect(failure?.code == .notPermitted)
            let session = host.session(writer)
            let recents = host.services.recents
            #expect(try await recents.forget(session, nil, client: nil) == 2)
            #expect(try await Self.names(host) == ["b.txt"])
            #expect(try await recents.forget(session, [b.reference], client: nil) == 0)
            #expect(try await recents.forget(host.session(Self.tool), [b.reference], client: nil) == 1)
            #expect(try await Self.names(host).isEmpty)
        }
    }

    @Test("K19, K20: what is signed out or disabled is not listed from that moment on, and is again afterwards")
    func closed() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.remote
            let key = kind.key(host.store(kind).add("a.txt", "a"))
            try await Self.open(host, key, by: Self.tool)
            let (recents, session) = (host.services.recents, host.session(Self.tool))
            #expect(try await recents.mark(key.reference, true).changed)
            let closed = host.services.remote.monitor.closed
            closed.close(DomainKey(kind.root), .signedOut)
            #expect(try await Self.names(host).isEmpty)
            #expect(try await recents.favourites(session).isEmpty)
            closed.open(DomainKey(kind.root))
            #expect(try await Self.names(host) == ["a.txt"])
            #expect(try await recents.favourites(session).map(\.item.name) == ["a.txt"])
            _ = try await host.services.registry.disable(kind.identifier)
            #expect(try await Self.names(host).isEmpty)
            #expect(try await recents.favourites(session).isEmpty)
        }
    }

    @Test("K19, K20: the lists are there after a restart; what nobody can be asked about is shown as it was")
    func restarted() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            let folder = host.store(kind).addFolder("Reports")
            let key = kind.key(host.store(kind).add("a.txt", in: folder))
            try await Self.open(host, key, by: Self.tool)
            let marked = try await host.services.recents.mark(kind.key(folder).reference, true)
            #expect(marked.changed && marked.item?.name == "Reports")
            try await host.restarted { host in
                let recents = host.services.recents
                #expect(try await Self.list(host).map(\.item.path) == ["/Reports/a.txt"])
                host.store(kind).fail(.item, .serverUnreachable, times: 100)
                let shown = try await Self.list(host)
                #expect(shown.map(\.item.name) == ["a.txt"] && shown.first?.remembered == true)
                host.store(kind).clearRules()
                let session = host.session(Self.tool)
                #expect(try await recents.favourites(session).map(\.item.name) == ["Reports"])
                #expect(try await !recents.mark(kind.key(folder).reference, true).changed)
                #expect(try await recents.mark(kind.key(folder).reference, false).changed)
                #expect(try await recents.favourites(session).isEmpty)
            }
        }
    }

    @Test("K19: a folder that is chosen for a client is no used document, and a document that is chosen is one")
    func chosen() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            host.store(kind).add("a.txt", in: host.store(kind).addFolder("Reports"))
            let session = host.session(Self.tool)
            for (path, types) in [("/Reports", ["public.folder"]), ("/Reports/a.txt", nil)] as [(String, [String]?)] {
                _ = try await host.services.picker.pickOpen(
                    session, Wire.Location(provider: kind.identifier, domain: "", path: path), types: types,
                    offer: GrantOffer(access: .read, origin: .open))
            }
            #expect(try await Self.names(host) == ["a.txt"])
        }
    }
}
