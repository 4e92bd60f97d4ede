package import GRDB

/// The daemon's only database, `docent.sqlite`: grants, bookmarks, audit, consents and the journal of operations.
///
/// Every change is on disk before its call returns (`synchronous=FULL`). The database uses a write-ahead log on a local
/// file system, and an exclusive lock without that log on a network one (D4). The holder of the data directory's lock
/// (D1) opens it once; all stores share it. Methods may be called from any thread.
package final class HostDatabase: Sendable {
    /// Options for opening.
    package struct Options: Sendable {
        /// The kind of file system to assume; nil asks the kernel.
        package var fileSystem: FileSystemKind?
        /// The name of this machine, recorded as owner on a network file system; nil asks the kernel.
        package var hostName: String?
        /// Whether to take over a database that another host still owns, because the user says that that host is gone.
        package var takesOver = false
        /// How long a change waits for another process, in seconds.
        package var busyTimeout: Double = 10

        /// The default options.
        package init() {}
    }

    /// The file's path.
    package let path: String
    /// The assumed kind of the file's file system.
    package let fileSystem: FileSystemKind
    /// Announces changes of identifiers.
    package let keyChanges = KeyChanges()
    let consentRevision = ConsentRevision()
    let writer: any DatabaseWriter

    /// Opens `<directory>/docent.sqlite`; creates the directory (0700) and the file (0600) if they are missing.
    ///
    /// An older schema is copied to `docent.sqlite.before-<last migration>` and then migrated; a newer or damaged file
    /// is left unchanged. Blocks: call it before serving clients.
    /// - Throws: ``HostDatabaseError``, naming the file.
    package convenience init(directory: String, options: Options = Options()) throws {
        try self.init(directory: directory, options: options, migrator: Schema.migrator)
    }

    init(directory: String, options: Options, migrator: DatabaseMigrator) throws {
        let path = directory + "/docent.sqlite"
        do {
            try Self.prepareFile(directory: directory, path: path)
            let kind = options.fileSystem ?? FileSystemKind(directory: directory)
            // Before the file is opened for use: even setting the journal mode would write to a newer file.
            try Self.check(path: path, options: options, migrator: migrator)
            let writer = try Self.connect(path: path, kind: kind, options: options)
            try Self.backUpIfOlder(writer: writer, path: path, migrator: migrator)
            try migrator.migrate(writer)
            if kind == .network { try Self.claimHost(writer: writer, path: path, options: options) }
            writer.add(transactionObserver: consentRevision)
            self.path = path
            self.fileSystem = kind
            self.writer = writer
        } catch let error as DatabaseError {
            throw HostDatabaseError(error, path: path)
        } catch let error as HostDatabaseError {
            throw error
        } catch {
            throw HostDatabaseError(code: .unavailable, message: "\(path) cannot be used: \(error)", cause: error)
        }
    }

    /// Closes the file after all running changes; every later call throws. Blocks.
    package func close() throws {
        if fileSystem == .network {
            try writer.write { try $0.execute(sql: "DELETE FROM setting WHERE name = 'owner host'") }
        }
        // GRDB closes the writer before its read-only readers, so SQLite would leave the log full. A reader that is
        // still active makes this fail, which loses nothing: the next open reads the log.
        if fileSystem == .local { _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
        try writer.close()
    }

    /// Changes the database in one transaction that is on disk when this returns.
    ///
    /// Cancelling the caller neither undoes nor hides the change: once begun, it is completed and its result returned.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await shielded { [writer] in try await writer.write(body) }
    }

    /// Changes the database in one transaction without waiting for the disk. A loss of power may undo it, with
    /// everything after it up to the next ``write(_:)``; a kill does not. For data that can be obtained again.
    package func writeRelearnable<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        // Without a log, anything less than FULL could damage the file.
        guard fileSystem == .local else { return try await write(body) }
        return try await shielded { [writer] in
            try await writer.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                let outcome = Result {
                    var value: Value?
                    try database.inTransaction {
                        value = try body(database)
                        return .commit
                    }
                    return value
                }
                try database.execute(sql: "PRAGMA synchronous = FULL")
                guard let value = try outcome.get() else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return value
            }
        }
    }

    /// Reads from the database in one consistent snapshot.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await shielded { [writer] in try await writer.read(body) }
    }

    private func shielded<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await Task { try await body() }.value
        } catch let error as DatabaseError {
            throw HostDatabaseError(error, path: path)
        }
    }
}
