import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import HostCore
import HostTesting
import Records
import Rights
import Saving
import Storage
import Testing

@testable import HostServices
@testable import RemoteDocuments

/// The versions that a provider has of its documents, beside those that are kept here.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ProviderHistoryTests {
    private static let kinds = [TestProviderKind.inPlace, .remote]
    private static let user = Principal(kind: .unconfined, identifier: "org.docent.cli")

    private func document(
        _ host: TestHost, _ kind: TestProviderKind, _ versions: [StoredVersion]?, for client: Principal = user
    ) async throws -> ItemKey {
        let key = kind.key(host.store(kind).add("a.txt", "now"))
        try await host.grant(key, to: client)
        host.store(kind).setHistory(versions, of: key.identifier)
        return key
    }

    private func list(_ host: TestHost, _ key: ItemKey) async throws -> [Wire.DocumentVersion] {
        try await host.services.versions.list(host.session(Self.user), key).versions
    }

    private func code(_ body: () async throws -> Void) async -> FailureCode? {
        do {
            try await body()
            return nil
        } catch { return FailureMapping.failure(error).code }
    }

    @Test("3.1: versions of the provider are listed newest first, and fetched when they are opened", arguments: kinds)
    func fetched(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await document(
                host, kind,
                [
                    StoredVersion("one", "first", saved: 1000, savedBy: "Ada"),
                    StoredVersion("three", "the third", saved: 3000), StoredVersion("two", "second", saved: 2000),
                    StoredVersion("two", "again", saved: 5000), StoredVersion("undated", "u"),
                ])
            let listed = try await list(host, key)
            #expect(listed.map(\.isCurrent) == [true, nil, nil, nil, nil])
            #expect(listed.map(\.modificationDate).dropFirst() == [3000, 2000, 1000, nil])
            #expect(listed.dropFirst().allSatisfy { !$0.hasLocalContents && $0.isAtProvider == true })
            #expect(listed[3].author == "Ada" && listed[3].size == 5 && listed[3].name == "a.txt")
            #expect(host.store(kind).calls(.fetchVersion).isEmpty)
            let opened = try await host.services.versions.open(host.session(Self.user), key, listed[1].identifier)
            #expect(opened.file.text == "the third" && opened.version.identifier == listed[1].identifier)
            #expect(host.files(in: "Downloads").isEmpty)
            let local = try await host.services.versions.list(host.session(Self.user), key, isLocal: true)
            #expect(local.versions.count == 1)
        }
    }

    @Test("V9: restoring a version of the provider is a save, which can be undone", arguments: kinds)
    func restored(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await document(host, kind, [StoredVersion("one", "first", saved: 1000)])
            // A remote content that was never here is not kept.
            #expect(try await host.client(Self.user).read(key) == "now")
            let old = try #require(try await list(host, key).last?.identifier)
            let session = host.session(Self.user)
            _ = try await host.services.versions.restore(session, key, old, operation: "restore")
            #expect(try await host.client(Self.user).read(key) == "first")
            try await TransferSupport.eventually { host.store(kind).text(key.identifier) == "first" }
            #expect(host.store(kind).calls(.revert).isEmpty)
            let change = try #require(try await host.services.trash.lastChange())
            _ = try await host.services.trash.undo(host.session(Self.user), change.identifier)
            #expect(try await host.client(Self.user).read(key) == "now")
        }
    }

    @Test("V9: a version that the provider does not deliver is restored by the provider", arguments: kinds)
    func reverted(_ kind: TestProviderKind) async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": "0"]) { host in
            var version = StoredVersion("one", "first", saved: 1000)
            version.isDelivered = false
            let key = try await document(host, kind, [version])
            let old = try #require(try await list(host, key).last?.identifier)
            let refused = await code {
                _ = try await host.services.versions.open(host.session(Self.user), key, old)
            }
            #expect(refused == .notSupported)
            let item = try await host.services.versions.restore(
                host.session(Self.user), key, old, operation: "restore")
            #expect(item.reference.key == key && host.store(kind).text(key.identifier) == "first")
            #expect(try await host.client(Self.user).read(key) == "first")
            #expect(host.store(kind).calls(.revert).count == 1)
            // A confined program cannot do what nobody could undo.
            try await host.grant(key)
            let confined = await code {
                _ = try await host.services.versions.restore(host.session(), key, old, operation: "confined")
            }
            #expect(confined == .notFound)
        }
    }

    @Test("3.1: a version whose content the server has thrown away is not found, and nothing is left of it")
    func lost() async throws {
        try await TestHost.with { host in
            let key = try await document(
                host, .remote, [StoredVersion("one", nil, saved: 1000, size: 5), StoredVersion("two", "2", saved: 2)])
            let listed = try await list(host, key)
            #expect(await code { try await open(host, key, listed[1].identifier) } == .notFound)
            #expect(
                await code {
                    _ = try await host.services.versions.restore(
                        host.session(Self.user), key, listed[1].identifier, operation: "r")
                } == .notFound)
            #expect(host.files(in: "Downloads").isEmpty)
            #expect(host.store(.remote).text(key.identifier) == "now")
            // A version that was removed from the history meanwhile.
            host.store(.remote).setHistory([], of: key.identifier)
            #expect(await code { try await open(host, key, listed[2].identifier) } == .notFound)
        }
    }

    private func open(_ host: TestHost, _ key: ItemKey, _ name: String) async throws {
        _ = try await host.services.versions.open(host.session(Self.user), key, name)
    }

    @Test("3.1: content of another length than the provider said is not handed out", arguments: [1, 50])
    func wrongLength(_ size: Int) async throws {
        try await TestHost.with { host in
            let key = try await document(host, .remote, [StoredVersion("one", "first", saved: 1, size: size)])
            let name = try #require(try await list(host, key).last?.identifier)
            #expect(await code { try await open(host, key, name) } == .providerFailed)
            #expect(host.files(in: "Downloads").isEmpty)
        }
    }

    @Test("3.1: thousands of versions come in pages, from a provider that gives them in pages too")
    func pages() async throws {
        try await TestHost.with { host in
            let key = try await document(host, .remote, nil)
            host.store(.remote).setHistory(
                (0..<3000).map { StoredVersion("v\($0)", "\($0)", saved: Double($0)) }, of: key.identifier,
                pageSize: 700)
            var (found, page) = ([Wire.DocumentVersion](), nil as String?)
            let session = host.session(Self.user)
            repeat {
                let next = try await host.services.versions.list(session, key, page: page)
                found += next.versions
                page = next.nextPage
            } while page != nil
            #expect(found.count == 3001 && Set(found.map(\.identifier)).count == 3001)
            #expect(found.dropFirst().map(\.modificationDate) == (0..<3000).reversed().map(Double.init))
            // The pages after the first ask nobody.
            #expect(host.store(.remote).calls(.versions).count == 5)
        }
    }

    @Test("3.1: an offline provider's history is answered with what is here, and says that the rest is missing")
    func offline() async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": "0"]) { host in
            let key = try await document(host, .remote, [StoredVersion("one", "first", saved: 1)])
            #expect(try await host.client(Self.user).read(key) == "now")
            try await host.client(Self.user).save(key, "later", operation: "1")
            try await TransferSupport.eventually { host.store(.remote).text(key.identifier) == "later" }
            host.store(.remote).fail(.versions, .serverUnreachable, times: 100)
            let page = try await host.services.versions.list(host.session(Self.user), key)
            #expect(page.versions.count == 2 && page.missing?.isEmpty == false)
            try await host.grant(key)
            let confined = try await host.services.versions.list(host.session(), key)
            #expect(confined.missing == "The provider cannot be asked now.")
            host.store(.remote).clearRules()
            host.store(.remote).setHistory(nil, of: key.identifier)
            let none = try await host.services.versions.list(host.session(Self.user), key)
            #expect(none.versions.count == 2)
        }
    }

    @Test("V5: a confined client sees versions of the provider only since its right, and not who saved them")
    func visibility() async throws {
        try await TestHost.with { host in
            let now = Date.now.timeIntervalSince1970
            let versions = [
                StoredVersion("old", "old", saved: now - 500, savedBy: "Ada"),
                StoredVersion("new", "new", saved: now + 500, savedBy: "Ada"), StoredVersion("undated", "undated"),
            ]
            let key = try await document(host, .remote, versions, for: writer)
            try await host.grant(key, to: Self.user)
            let all = try await list(host, key)
            #expect(all.count == 4)
            let seen = try await host.services.versions.list(host.session(), key).versions
            #expect(seen.count == 2 && seen[1].modificationDate == now + 500)
            #expect(seen.allSatisfy { $0.author == nil && $0.savedBy == nil })
            let opened = try await host.services.versions.open(host.session(), key, seen[1].identifier)
            #expect(opened.file.text == "new" && opened.version.author == nil)
            for hidden in all.dropFirst().map(\.identifier) where hidden != seen[1].identifier {
                #expect(
                    await code { _ = try await host.services.versions.open(host.session(), key, hidden) } == .notFound)
                #expect(
                    await code {
                        _ = try await host.services.versions.restore(host.session(), key, hidden, operation: hidden)
                    } == .notFound)
            }
            // Nor does a client without a right.
            #expect(
                await code {
                    _ = try await host.services.versions.open(host.session(viewer), key, seen[1].identifier)
                } == .notPermitted)
            #expect(host.store(.remote).text(key.identifier) == "now")
        }
    }

    @Test("3.1: what is kept here and at the provider is one version; the current content is none of them")
    func merged() async throws {
        try await TestHost.with { host in
            let key = try await document(host, .remote, nil)
            #expect(try await host.client(Self.user).read(key) == "now")
            let before = try #require(host.store(.remote).version(key.identifier))
            try await host.client(Self.user).save(key, "later", operation: "1")
            try await TransferSupport.eventually { host.store(.remote).text(key.identifier) == "later" }
            let current = try #require(host.store(.remote).version(key.identifier))
            // The host knows the new version once the answer to its upload has arrived.
            try await TransferSupport.eventually {
                try await host.services.gateway.item(key).version == current
            }
            host.store(.remote).setHistory(
                [
                    StoredVersion("before", "now", saved: 1, version: before, savedBy: "Ada"),
                    StoredVersion("current", "later", saved: 2, version: current),
                    StoredVersion("first", "0", saved: 0),
                ], of: key.identifier)
            let listed = try await list(host, key)
            try #require(listed.count == 3, "\(listed)")
            #expect(listed[1].hasLocalContents && listed[1].isAtProvider == true)
            #expect(listed[1].reason == "superseded" && listed[1].author == "Ada")
            #expect(listed[2].reason == nil && !listed[2].hasLocalContents)
            // It has the name that it has where it is not kept, and nothing is fetched to open it.
            #expect(listed.dropFirst().allSatisfy { $0.identifier.hasPrefix(EarlierContent.prefix) })
            let opened = try await host.services.versions.open(
                host.session(Self.user), key, listed[1].identifier)
            #expect(opened.file.text == "now" && host.store(.remote).calls(.fetchVersion).isEmpty)
            #expect(
                await code {
                    _ = try await host.services.versions.remove(
                        host.session(Self.user), key, [listed[2].identifier])
                } == .notSupported)
            #expect(try await host.services.remote.kept.list(of: key).count == 1)
        }
    }

    @Test("3.1: a program adds a version, once for an operation; it is a version like any other")
    func added() async throws {
        try await TestHost.with { host in
            let key = try await document(host, .inPlace, nil, for: writer)
            let path = host.root + "/draft"
            try Data("a draft".utf8).write(to: URL(filePath: path))
            func add(_ session: Session, _ operation: String, name: String? = "Draft") async throws
                -> Wire.DocumentVersion
            {
                let file = OpenDescriptor(owning: Glibc.open(path, O_RDONLY | O_CLOEXEC))
                return try await host.services.versions.add(
                    session, key, from: file, operation: operation, name: name, modified: 1000)
            }
            let version = try await add(host.session(), "add")
            #expect(version.name == "Draft" && version.reason == "added" && version.modificationDate == 1000)
            #expect(version.savedBy?.identifier == writer.identifier && version.isConflict == nil)
            #expect(try await add(host.session(), "add").identifier == version.identifier)
            #expect(try await add(host.session(), "other", name: nil).name == "a.txt")
            #expect(try await host.services.remote.kept.list(of: key).count == 2)
            let opened = try await host.services.versions.open(host.session(), key, version.identifier)
            #expect(opened.file.text == "a draft" && host.store(.inPlace).text(key.identifier) == "now")
            // Only those who may write the document, and no empty one.
            try await host.grant(key, .read, to: viewer)
            #expect(await code { _ = try await add(host.session(viewer), "viewer") } == .notPermitted)
            try Data().write(to: URL(filePath: path))
            #expect(await code { _ = try await add(host.session(), "empty") } == .invalidArgument)
            _ = try await host.services.versions.restore(host.session(), key, version.identifier, operation: "r")
            #expect(host.store(.inPlace).text(key.identifier) == "a draft")
        }
    }
}
