import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// Packed versions in the database.
@Suite struct PackingRecordsTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let store: KeptVersionStore

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        store = KeptVersionStore(database: database)
    }

    private func kept(
        _ id: String, of key: ItemKey = remote("a"), _ reason: KeptVersion.Reason = .superseded, size: Int64 = 65_536
    ) -> KeptVersion {
        KeptVersion(
            id: id, key: key, name: "report.txt", reason: reason, size: size,
            created: Date(milliseconds: 1_700_000_000_000), folder: "folder", file: "file-\(id)", operation: "o-\(id)")
    }

    @Test("V11: a packed version counts with what it takes by itself, whatever is examined, settled and removed")
    func space() async throws {
        for version in [kept("1"), kept("2"), kept("3", .conflict)] { try await store.add(version) }
        #expect(try await store.space() == (2 * 65_536, 2))
        for _ in 0..<2 { try await store.examined("1", stored: 100) }
        #expect(try await store.space() == (65_636, 2))
        try await store.examined("3", stored: 5)
        #expect(try await store.space() == (65_636, 2))
        _ = try await store.settle(["3"], of: remote("a"))
        #expect(try await store.space() == (65_641, 3))
        try await store.examined("2", stored: 65_536)
        try await store.examined("absent", stored: 1)
        try await store.remove(["1"])
        #expect(try await store.space() == (65_541, 2))
        try await store.remove(["2", "3"])
        #expect(try await store.space() == (0, 0))
    }

    @Test("V11: documents with large versions that were not examined are found, each once")
    func documents() async throws {
        let (a, b, c) = (remote("a"), remote("b"), remote("c"))
        for version in [
            kept("1", of: a), kept("2", of: a), kept("3", of: b, size: 65_535), kept("4", of: c),
            kept("5", of: b, .conflict),
        ] {
            try await store.add(version)
        }
        #expect(try await store.documentsToPack(after: nil, limit: 10) == [a, c])
        #expect(try await store.documentsToPack(after: a, limit: 10) == [c])
        #expect(try await store.documentsToPack(after: nil, limit: 1) == [a])
        try await store.examined("1", stored: 100)
        let packable = try await store.packable(of: a)
        #expect(packable.map(\.id) == ["1", "2"] && packable.map(\.stored) == [100, nil])
        #expect(packable[0].file == "file-1" && packable[0].operation == "o-1" && packable[0].size == 65_536)
        #expect(try await store.packable(of: b).isEmpty)
        try await store.examined("2", stored: 65_536)
        #expect(try await store.documentsToPack(after: nil, limit: 10) == [c])
    }

    @Test("D3: versions of an earlier Docent count with their sizes, and are examined")
    func migration() async throws {
        let old = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: old.path + "/docent.sqlite")
        try Schema.migrator.migrate(queue, upTo: "17 noise")
        try await queue.write { database in
            for id in ["1", "2"] {
                try database.execute(
                    sql: """
                        INSERT INTO kept_version
                            (id, provider, domain, item, name, reason, standing, size, created, folder, file)
                        VALUES (?, 'p', '', 'a', 'n', 'superseded', 'ordinary', 100000, 5, 'f', ?)
                        """, arguments: [id, id])
            }
        }
        try queue.close()
        let store = KeptVersionStore(database: try HostDatabase(directory: old.path))
        #expect(try await store.space() == (200_000, 2))
        #expect(try await store.documentsToPack(after: nil, limit: 10).count == 1)
        try await store.examined("1", stored: 10)
        #expect(try await store.space() == (100_010, 2))
    }
}
