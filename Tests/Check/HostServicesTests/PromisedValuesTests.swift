import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Testing

@testable import HostServices

/// What is known of many items at once, without their content (K8).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PromisedValuesTests {
    private static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")

    private static func values(
        _ host: TestHost, _ keys: [ItemKey], by principal: Principal = tool
    ) async throws -> [Wire.PromisedItem] {
        try await host.services.values.values(host.session(principal), keys.map(\.reference))
    }

    @Test("K8: values are given in the order of the question, nothing is fetched, and what is known is not asked for")
    func values() async throws {
        try await TestHost.with { host in
            let (remote, inPlace) = (TestProviderKind.remote, TestProviderKind.inPlace)
            let known = remote.key(host.store(.remote).add("a.txt", "12345"))
            let unknown = remote.key(host.store(.remote).add("b.txt", "1"))
            let file = inPlace.key(host.store(.inPlace).add("c.txt", "123"))
            _ = try await host.services.gateway.item(known)
            let asked = host.store(.remote).calls(.item).count
            let values = try await Self.values(host, [file, remote.key("gone"), known, unknown, known])
            #expect(values.map { $0.item?.name } == ["c.txt", nil, "a.txt", "b.txt", "a.txt"])
            #expect(values.map(\.failure) == [nil, "NotFound", nil, nil, nil])
            #expect(values[2].item?.size == 5 && values[2].item?.isDownloaded == false)
            #expect(host.store(.remote).calls(.fetch).isEmpty)
            let subjects = host.store(.remote).calls(.item).dropFirst(asked).map(\.subject)
            #expect(!subjects.contains(known.identifier), "\(subjects)")
        }
    }

    @Test("K8: what was listed before is known offline, and what was not says that it is not available")
    func offline() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.remote
            let (known, unknown) = (
                kind.key(host.store(kind).add("a.txt", "a")), kind.key(host.store(kind).add("b.txt", "b"))
            )
            _ = try await host.services.gateway.item(known)
            host.store(kind).fail(.item, .serverUnreachable, times: 1_000)
            let values = try await Self.values(host, [known, unknown])
            #expect(values.map { $0.item?.name } == ["a.txt", nil])
            #expect(values.map(\.failure) == [nil, "Unavailable"])
        }
    }

    @Test("K8: a confined client gets values of what it may read, and the same refusal for everything else")
    func confined() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.remote
            let folder = host.store(kind).addFolder("Reports")
            let inside = kind.key(host.store(kind).add("in.txt", "in", in: folder))
            let (own, other) = (
                kind.key(host.store(kind).add("own.txt", "o")), kind.key(host.store(kind).add("secret.txt", "s"))
            )
            for key in [inside, own, other] { _ = try await host.services.gateway.item(key) }
            #expect(writer.isConfined)
            try await host.grant(own, .read)
            try await host.grant(kind.key(folder), .read)
            let asked = [other, own, kind.key("gone"), inside, kind.root]
            let values = try await Self.values(host, asked, by: writer)
            #expect(values.map { $0.item?.name } == [nil, "own.txt", nil, "in.txt", nil])
            #expect(values.allSatisfy { $0.item?.path == nil })
            let refusals = [values[0], values[2], values[4]]
            #expect(refusals.allSatisfy { $0.failure == "NotPermitted" && $0.message == values[0].message })
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer))
            #expect(try await Self.values(host, asked, by: writer).allSatisfy { $0.item == nil })
        }
    }

    @Test("K8, K16: of an account that is signed out or disabled nothing is told, and too much is refused")
    func closed() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.remote
            let key = kind.key(host.store(kind).add("a.txt", "a"))
            _ = try await host.services.gateway.item(key)
            let closed = host.services.remote.monitor.closed
            closed.close(DomainKey(key), .signedOut)
            #expect(try await Self.values(host, [key]).map(\.failure) == ["NotAuthenticated"])
            closed.open(DomainKey(key))
            #expect(try await Self.values(host, [key]).map { $0.item?.name } == ["a.txt"])
            _ = try await host.services.registry.disable(kind.identifier)
            #expect(try await Self.values(host, [key]).allSatisfy { $0.item == nil && $0.failure != nil })
            let failure = await #expect(throws: Failure.self) {
                _ = try await Self.values(host, Array(repeating: key, count: PromisedValues.most + 1))
            }
            #expect(failure?.code == .invalidArgument)
        }
    }
}
