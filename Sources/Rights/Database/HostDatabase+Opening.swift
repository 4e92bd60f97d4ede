import FoundationEssentials
package import GRDB
import Glibc

extension HostDatabase {
    /// Makes the directory (0700) and the file (0600) if they are missing, durably.
    package static func prepareFile(directory: String, path: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Only a new file is opened here: closing a descriptor of a file that SQLite has open would drop SQLite's
        // locks.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            let code = errno
            if code == EEXIST { return }
            throw HostDatabaseError(
                code: .unavailable, message: "\(path) cannot be opened: \(String(cString: strerror(code)))")
        }
        Glibc.close(descriptor)
        try synchronizeDirectory(directory)
    }

    /// Makes the names in a directory durable.
    static func synchronizeDirectory(_ directory: String) throws {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            let code = errno
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw HostDatabaseError(
                code: .unavailable,
                message: "\(directory) cannot be written to disk: \(String(cString: strerror(code)))")
        }
        Glibc.close(descriptor)
    }

    /// Opens a file: with a write-ahead log on a local file system, with an exclusive lock on a network one (D4).
    package static func connect(path: String, kind: FileSystemKind, options: Options) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.label = "docent"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(options.busyTimeout)
        switch kind {
        case .local:
            configuration.maximumReaderCount = 3
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL when it enables the log; that survives kill but not loss of power (W 5).
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            return pool
        case .network:
            configuration.prepareDatabase { database in
                // The exclusive lock comes first: without it, SQLite would map shared memory for a log that still
                // exists.
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inTransaction(.exclusive) { _ in .commit }
            return queue
        }
    }

    /// Refuses a damaged file, and one with migrations that this version does not know.
    static func check(path: String, options: Options, migrator: DatabaseMigrator) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { database in
            if try migrator.hasBeenSuperseded(database) { throw HostDatabaseError.newerSchema(path: path) }
            let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
            if verdict != "ok" { throw HostDatabaseError.damaged(path: path, detail: verdict) }
        }
        try queue.close()
    }

    /// Copies a file of an older schema beside itself, durably, before it is migrated (D3).
    static func backUpIfOlder(writer: any DatabaseWriter, path: String, migrator: DatabaseMigrator) throws {
        let (last, isCurrent) = try writer.read { database in
            (try migrator.appliedMigrations(database).last, try migrator.hasCompletedMigrations(database))
        }
        guard let last, !isCurrent else { return }
        let version = last.split(separator: " ").first.map(String.init) ?? last
        let backup = path + ".before-" + version
        let unfinished = backup + ".unfinished"
        // A copy that an earlier start did not finish.
        if FileManager.default.fileExists(atPath: unfinished) { try FileManager.default.removeItem(atPath: unfinished) }
        let target = try DatabaseQueue(path: unfinished)
        try writer.backup(to: target)
        try target.close()
        guard chmod(unfinished, 0o600) == 0, rename(unfinished, backup) == 0 else {
            let code = errno
            throw HostDatabaseError(
                code: .unavailable, message: "\(backup) cannot be created: \(String(cString: strerror(code)))")
        }
        try synchronizeDirectory(URL(filePath: path).deletingLastPathComponent().path)
    }

    /// Records this host as owner; refuses when another host is recorded, whose locks may not be visible here.
    static func claimHost(writer: any DatabaseWriter, path: String, options: Options) throws {
        let host = options.hostName ?? currentHostName()
        try writer.write { database in
            let owner = try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'owner host'")
            if let owner, owner != host, !options.takesOver {
                throw HostDatabaseError(
                    code: .inUse,
                    message:
                        "\(path) belongs to Docent on the host \(owner); stop it there, or choose another directory")
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('owner host', ?)", arguments: [host])
        }
    }

    private static func currentHostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "unknown" }
    }
}
