import DocentTestSupport
import Foundation
import GRDB
import HostTesting
import Testing

@testable import Rights

@Suite struct HostDatabaseTests {
    let directory: TemporaryDirectory
    var file: String { directory.path + "/docent.sqlite" }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("W5: every writing connection has a write-ahead log and waits for the disk")
    func settings() throws {
        let database = try HostDatabase(directory: directory.path)
        let (journal, synchronous, foreignKeys) = try database.writer.writeWithoutTransaction { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try Int.fetchOne(database, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(database.fileSystem == .local)
        #expect(journal == "wal")
        #expect(synchronous == 2)
        #expect(foreignKeys == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("D4: on a network file system there is no log, the lock is exclusive, and a second host is refused")
    func networkFileSystem() async throws {
        // The file has a log at first, as if its directory had moved to a network file system later.
        let local = try HostDatabase(directory: directory.path)
        try await GrantStore(database: local).record(writer, document("a"), .read, origin: .open)
        try local.close()

        var options = HostDatabase.Options()
        options.fileSystem = .network
        options.hostName = "first"
        options.busyTimeout = 0.2
        let database = try HostDatabase(directory: directory.path, options: options)
        let journal = try await database.writer.writeWithoutTransaction {
            try String.fetchOne($0, sql: "PRAGMA journal_mode")
        }
        #expect(journal == "delete")
        #expect(!FileManager.default.fileExists(atPath: file + "-wal"))
        #expect(try await GrantStore(database: database).check(writer, document("a"), .read) != nil)
        #expect(throws: HostDatabaseError.self) { try HostDatabase(directory: directory.path, options: options) }

        // As after a crash: the lock is gone, the owner is still recorded.
        try database.writer.close()
        var other = options
        other.hostName = "second"
        let refusal = #expect(throws: HostDatabaseError.self) {
            try HostDatabase(directory: directory.path, options: other)
        }
        #expect(refusal?.code == .inUse)
        #expect(refusal?.message.contains("first") == true)
        try HostDatabase(directory: directory.path, options: options).close()
        try HostDatabase(directory: directory.path, options: other).close()
    }

    @Test("D3: a newer schema is refused and the file stays unchanged")
    func newerSchema() throws {
        try HostDatabase(directory: directory.path).close()
        let queue = try DatabaseQueue(path: file)
        try queue.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 from the future')")
        }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: file))
        let error = #expect(throws: HostDatabaseError.self) { try HostDatabase(directory: directory.path) }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains(file) == true)
        #expect(try difference(Data(contentsOf: URL(filePath: file)), from: before) == nil)
    }

    @Test("D3: an older schema is copied before it is migrated, and the copy has the old contents")
    func backupBeforeMigration() async throws {
        let database = try HostDatabase(directory: directory.path)
        try await GrantStore(database: database).record(writer, document("a"), .read, origin: .open)
        try database.close()
        var migrator = Schema.migrator
        let version = try #require(migrator.migrations.last?.split(separator: " ").first)
        #expect(!FileManager.default.fileExists(atPath: "\(file).before-\(version)"))

        migrator.registerMigration("99 test") { try $0.execute(sql: "CREATE TABLE later (id INTEGER)") }
        try HostDatabase(directory: directory.path, options: .init(), migrator: migrator).close()
        let copy = try DatabaseQueue(path: "\(file).before-\(version)")
        let (grants, tables) = try await copy.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM grants"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'later'")
            )
        }
        #expect(grants == 1)
        #expect(tables == 0)
        let error = #expect(throws: HostDatabaseError.self) { try HostDatabase(directory: directory.path) }
        #expect(error?.code == .newerSchema)
    }

    @Test("D3: rights from before terms existed last without an end, and can be widened like others")
    func formerRights() async throws {
        let former = try DatabaseQueue(path: file)
        try Schema.migrator.migrate(former, upTo: "3 packages")
        try await former.write { database in
            try database.execute(
                sql: """
                    INSERT INTO grants (principal_kind, principal_id, provider, domain, item, access, origin, created)
                    VALUES (?, ?, ?, ?, ?, 'read', 'open', 1)
                    """,
                arguments: [
                    writer.kind.rawValue, writer.identifier, document("a").provider, document("a").domain,
                    document("a").identifier,
                ])
        }
        try former.close()
        let database = try HostDatabase(directory: directory.path)
        let store = try await GrantStore(database: database)
        let grant = try #require(store.check(writer, document("a"), .read))
        #expect(grant.isPersistent && grant.isPersistable && grant.expires == nil && grant.companions.isEmpty)
        #expect(!grant.isFolder && store.principalsWithTransient.isEmpty)
        let wider = try await store.record(
            writer, document("a"), GrantOffer(access: .readWrite, origin: .open, isPersistent: false))
        #expect(wider.id == grant.id && wider.isPersistent && wider.access == .readWrite)
        try database.close()
    }

    @Test("D3: a damaged file is reported by name, and neither changed nor moved", arguments: [0, 5000])
    func damagedFile(offset: Int) async throws {
        let database = try HostDatabase(directory: directory.path)
        let store = try await GrantStore(database: database)
        for number in 0..<50 { try await store.record(writer, document("\(number)"), .read, origin: .open) }
        try database.close()
        let log = try? FileManager.default.attributesOfItem(atPath: file + "-wal")[.size] as? Int
        #expect(log ?? 0 == 0, "closing leaves everything in one file")
        var content = try Data(contentsOf: URL(filePath: file))
        let damage = min(content.count - offset, 12_000)
        content.replaceSubrange(offset..<(offset + damage), with: Data(repeating: 0xA5, count: damage))
        try content.write(to: URL(filePath: file))
        let error = #expect(throws: HostDatabaseError.self) { try HostDatabase(directory: directory.path) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(file) == true)
        #expect(try difference(Data(contentsOf: URL(filePath: file)), from: content) == nil)
    }

    @Test("D3: an empty file, as a kill at the very first start leaves it, is a new database")
    func emptyFile() async throws {
        try Data().write(to: URL(filePath: file))
        let database = try HostDatabase(directory: directory.path)
        #expect(try await GrantStore(database: database).grants().isEmpty)
    }

    @Test(
        "D4: the file system is that of the last and longest mount that contains the directory",
        arguments: [
            ("/home/me/.local/share", FileSystemKind.local), ("/home/me/remote/x", .network),
            ("/home/me/remote-not", .local), ("/home/me/with space/x", .network), ("/mnt", .network),
        ])
    func mountTable(path: String, expected: FileSystemKind) {
        let table = """
            22 1 8:1 / / rw - ext4 /dev/sda1 rw
            23 22 0:40 / /home/me/remote rw shared:1 - nfs4 server:/export rw
            24 22 0:41 / /home/me/with\\040space rw shared:1 master:2 - fuse.sshfs host: rw
            25 22 8:2 / /mnt rw - xfs /dev/sdb rw
            26 22 0:42 / /mnt rw - cifs //server/share rw
            """
        #expect(FileSystemKind(path: path, mountTable: table) == expected)
        #expect(FileSystemKind(path: path, mountTable: "") == .network)
    }
}
