import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

func version(_ id: String, of key: ItemKey, reason: KeptVersion.Reason = .conflict) -> KeptVersion {
    KeptVersion(
        id: id, key: key, name: "report.txt", reason: reason, size: 3, digest: "d",
        created: Date(milliseconds: 1_700_000_000_000), folder: "folder", file: "conflict-\(id)", operation: id)
}

@Suite struct RemoteStoresTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let journal: OperationJournal

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        journal = OperationJournal(database: database)
    }

    func published(_ name: String, item: String = "a") async throws -> String {
        let request = OperationRequest(write: remote(item), operation: name, principal: writer, baseVersion: "v0")
        let id = try await journal.begin(request).id
        try await journal.staged(id, digest: "d", size: 3, baseVersion: "v0")
        return try await journal.published(id, item: item).id
    }

    @Test("N10: a partial download is recorded, updated and deleted")
    func partials() async throws {
        let store = PartialDownloadStore(database: database)
        var partial = PartialDownload(key: remote("a"), file: "f", version: "1", completed: 0, total: nil)
        for completed in [0, 10, 20] as [Int64] {
            partial.completed = completed
            partial.total = 20
            try await store.save(partial)
            #expect(try await store.partial(remote("a")) == partial)
        }
        try await store.save(PartialDownload(key: remote("b"), file: "g", version: nil, completed: 1, total: nil))
        #expect(try await store.all().map(\.file) == ["f", "g"])
        for _ in 0..<2 { try await store.remove(remote("a")) }
        #expect(try await store.all().map(\.file) == ["g"])
        #expect(try await store.partial(remote("b\0")) == nil)
    }

    @Test(
        "a kept version is recorded once, listed, counted and deleted",
        arguments: KeptVersion.Reason.allCases)
    func versions(reason: KeptVersion.Reason) async throws {
        let store = KeptVersionStore(database: database)
        let first = version("1", of: remote("a"), reason: reason)
        for _ in 0..<2 { try await store.add(first) }
        try await store.add(version("2", of: remote("a")))
        try await store.add(version("3", of: remote("b")))
        #expect(try await store.version("1") == first)
        #expect(try await store.list(of: remote("a")).map(\.id) == ["1", "2"])
        #expect(try await store.list().count == 3)
        #expect(try await store.counts(of: [remote("a"), remote("c")]) == [remote("a"): reason.isConflict ? 2 : 1])
        try await store.remove("1")
        #expect(try await store.version("1") == nil)
        #expect(try await store.counts(of: []).isEmpty)
    }

    @Test("W9: unsent changes are those that are committed and not confirmed, including failed ones, oldest first")
    func unsent() async throws {
        let open = try await journal.begin(
            OperationRequest(write: remote("a"), operation: "open", principal: writer, baseVersion: nil))
        let ids = [try await published("1"), try await published("2"), try await published("3", item: "b")]
        try await journal.failed(ids[1], reason: "no room")
        #expect(try await journal.unsent(of: remote("a")).map(\.id) == Array(ids.prefix(2)))
        #expect(try await journal.unsent(provider: provider, domain: "work").map(\.id) == ids)
        #expect(try await journal.unsent(domain: "home").isEmpty)
        #expect(try await journal.uploaded(ids[0], version: "v1").uploadedVersion == "v1")
        #expect(try await journal.uploaded(ids[0], version: "v9").uploadedVersion == "v1")
        #expect(try await journal.retried(ids[1]).state == .published)
        #expect(try await journal.unsent(of: remote("a")).map(\.id) == [ids[1]])
        for _ in 0..<2 {
            let operation = try await journal.conflicted(ids[1], reason: "changed on both sides")
            #expect(operation.state == .finished && operation.reason == "changed on both sides")
        }
        #expect(try await journal.unsent(of: remote("a")).isEmpty)
        #expect(try await journal.unsent().map(\.id) == [ids[2]])
        await #expect(throws: JournalError.self) { try await journal.conflicted(open.id, reason: "x") }
    }

    @Test("W9: a withdrawn creation does not prevent eviction, and a failed change can become a conflict")
    func finalOnes() async throws {
        let request = OperationRequest(write: remote("a"), operation: "w", principal: writer, baseVersion: nil)
        let id = try await journal.begin(request).id
        try await journal.staged(id, digest: "d", size: 3, baseVersion: nil)
        try await journal.withdrawn(id, reason: "told")
        #expect(try await journal.unsent(of: remote("a")).isEmpty)
        let other = try await published("o")
        try await journal.failed(other, reason: "refused")
        #expect(try await journal.conflicted(other, reason: "kept").failedFrom == nil)
    }

    @Test(
        "a domain stores its settings and the place of its secret, never the secret",
        arguments: [
            nil, CredentialReference(kind: .password, source: .file, username: "me", path: "/home/me/secret"),
            CredentialReference(kind: .token, source: .systemd, name: "dav"),
            CredentialReference(kind: .password, source: .session, username: ""),
        ] as [CredentialReference?])
    func domains(credential: CredentialReference?) async throws {
        let store = ProviderConsentStore(database: database)
        let domain = ProviderDomain(
            provider: "p", identifier: "work", displayName: "Work", settings: ["url": "https://h/ä?=&\"", "": ""],
            credential: credential, created: Date(milliseconds: 5))
        try await store.setDomain(domain)
        #expect(try await store.domains() == [domain])
        try await database.write {
            try $0.execute(sql: "UPDATE domain SET credential = '{\"kind\":\"future\"}', settings = NULL")
        }
        let later = try await store.domains().first
        #expect(later?.credential == nil && later?.settings == [:])
    }

    @Test("D3: a database of the first version is migrated, with its operations and domains")
    func migration() async throws {
        let old = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: old.path + "/docent.sqlite")
        try Schema.migrator.migrate(queue, upTo: "1 isolation and journal")
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO operation (id, op, principal_kind, principal_id, kind, provider, domain, item, digest,
                        size, state, created, changed)
                    VALUES ('1', 'o', 'run', 'viewer', 'write', 'p', '', 'a', 'd', 3, 'published', 1, 1);
                    INSERT INTO domain (provider, identifier, display_name, created) VALUES ('p', '', 'P', 1);
                    """)
        }
        try queue.close()
        let database = try HostDatabase(directory: old.path)
        let journal = OperationJournal(database: database)
        #expect(try await journal.unsent().map(\.uploadedVersion) == [nil])
        #expect(try await ProviderConsentStore(database: database).domains().map(\.displayName) == ["P"])
        #expect(FileManager.default.fileExists(atPath: old.path + "/docent.sqlite.before-1"))
    }
}
