import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostServices
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Synchronization
import Testing

@testable import Saving

/// What saves keep of the content that they replace.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct VersionKeeperTests {
    static func kept(_ host: TestHost, _ key: ItemKey) async throws -> [KeptVersion] {
        try await host.services.remote.kept.list(of: key)
    }

    static func texts(_ host: TestHost, _ key: ItemKey) async throws -> [String] {
        var texts: [String] = []
        for version in try await kept(host, key) {
            texts.append(try await host.services.remoteAdministrator.openVersion(version.id).file.text)
        }
        return texts
    }

    @Test("V1: every save keeps what it replaces, with who saved it", arguments: [TestProviderKind.inPlace, .remote])
    func saves(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host, kind)
            _ = try await host.client().read(key)
            try await host.grant(key, to: viewer)
            try await host.client().save(key, "first", operation: "1")
            try await TransferSupport.eventually { host.store(kind).text(key.identifier) == "first" }
            try await TransferSupport.eventually { try await host.client().state("1") == "finished" }
            try await host.client(viewer).save(key, "second", operation: "2")
            #expect(try await Self.texts(host, key) == ["old", "first"])
            let versions = try await Self.kept(host, key)
            #expect(versions.map(\.reason) == [.superseded, .superseded] && versions.map(\.savedBy) == [nil, writer])
            #expect(versions.map(\.name) == ["a.txt", "a.txt"] && versions.map(\.size) == [3, 5])
            #expect(versions[0].host == nil && versions[1].host == InstanceLock.currentHostName())
            #expect(try await host.client().read(key) == "second")
        }
    }

    @Test("V1: what is not on this machine is not fetched to be kept")
    func absent() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host, .remote)
            try await host.client().save(key, "new")
            #expect(try await Self.kept(host, key).isEmpty && host.store(.remote).calls(.fetch).isEmpty)
        }
    }

    @Test("V1: a save that changes nothing keeps nothing", arguments: [TestProviderKind.inPlace, .remote])
    func unchanged(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host, kind)
            for number in 1...3 {
                try await host.client().save(key, "same", operation: "\(number)")
                try await TransferSupport.eventually { try await host.client().state("\(number)") == "finished" }
            }
            #expect(try await Self.texts(host, key).filter { $0 == "same" }.isEmpty)
        }
    }

    @Test("V1: the content is safe before the provider replaces it")
    func before() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let files = Mutex<[String]>([])
            host.store(.inPlace).before(.modify) { _ in files.withLock { $0 = host.files(in: "Versions") } }
            try await host.client().save(key, "new")
            #expect(files.withLock { $0.count } == 1)
        }
    }

    @Test("V3: a rule of the folder, the account or the document says whether anything is kept")
    func rules() async throws {
        try await TestHost.with { host in
            let folder = host.store(.inPlace).addFolder("Downloads")
            let inner = TestProviderKind.inPlace.key(host.store(.inPlace).add("b.txt", "old", in: folder))
            let key = try await WriteServiceTests.document(host)
            try await host.grant(inner)
            let policies = host.services.policies
            _ = try await policies.set(
                VersionRule(.init(TestProviderKind.inPlace.key(folder)), isKept: false, versions: 3))
            try await host.client().save(inner, "new", operation: "inner")
            try await host.client().save(key, "new", operation: "outer")
            #expect(try await Self.kept(host, inner).isEmpty)
            #expect(try await Self.kept(host, key).count == 1)
            _ = try await policies.set(VersionRule(.init(TestProviderKind.inPlace.root), days: 5))
            _ = try await policies.set(VersionRule(.init(inner), isKept: true))
            let policy = await policies.policy(of: inner)
            #expect(policy.isKept && policy.versions == 3 && policy.days == 5)
            try await host.restarted { next async throws in
                #expect(await next.services.policies.policy(of: inner) == policy)
            }
        }
    }

    @Test("V4: a restored version is the content again, and what it replaced is kept, also where saves keep nothing")
    func restores() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.save(key, "new", operation: "1")
            _ = try await host.services.policies.set(VersionRule(.everything, isKept: false))
            let old = try #require(try await Self.kept(host, key).first)
            let versions = host.services.versions
            let item = try await versions.restore(client.session, key, old.id, operation: "restore")
            #expect(item.size == 3 && host.store(.inPlace).text(key.identifier) == "old")
            #expect(try await Self.kept(host, key).map(\.reason) == [.superseded, .replaced])
            #expect(try await Self.texts(host, key) == ["old", "new"])
            // A repeated call, after a lost reply, changes nothing.
            _ = try await versions.restore(client.session, key, old.id, operation: "restore")
            #expect(host.store(.inPlace).calls(.modify).count == 2)
            let replaced = try #require(try await Self.kept(host, key).last)
            _ = try await versions.restore(client.session, key, replaced.id, operation: "back")
            #expect(host.store(.inPlace).text(key.identifier) == "new")
        }
    }

    @Test("V8: a save that was committed keeps what it replaces, whichever daemon publishes it")
    func resumed() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            host.store(.inPlace).fail(.modify, .notAuthenticated, times: 100)
            try await host.client().save(key, "new")
            host.store(.inPlace).clearRules()
            try await host.restarted { next async throws in
                try await TransferSupport.eventually { next.store(.inPlace).text(key.identifier) == "new" }
                try await TransferSupport.eventually { try await Self.kept(next, key).count == 1 }
                #expect(try await Self.texts(next, key) == ["old"])
            }
        }
    }

    @Test(
        "V4: each version has the name that its document had, and restoring one does not take the new name away",
        arguments: [TestProviderKind.inPlace, .remote])
    func renamed(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host, kind)
            _ = try await host.client().read(key)
            try await host.client().save(key, "first", operation: "1")
            try await TransferSupport.eventually { host.store(kind).text(key.identifier) == "first" }
            try await TransferSupport.eventually { try await host.client().state("1") == "finished" }
            let session = host.session()
            let moved = try await host.services.mover.move(session, key, to: nil, name: "b.txt", operation: "rename")
            #expect(moved.name == "b.txt" && moved.reference.key == key)
            try await host.client().save(key, "second", operation: "2")
            #expect(try await Self.kept(host, key).map(\.name) == ["a.txt", "b.txt"])
            #expect(try await Self.texts(host, key) == ["old", "first"])
            let oldest = try #require(try await Self.kept(host, key).first)
            let item = try await host.services.versions.restore(session, key, oldest.id, operation: "restore")
            #expect(item.name == "b.txt")
            try await TransferSupport.eventually { host.store(kind).contents() == ["b.txt": "old"] }
            let listed = try await host.services.versions.list(session, key).versions
            #expect(listed.map(\.name) == ["b.txt", "b.txt", "b.txt", "a.txt"])
        }
    }
}
