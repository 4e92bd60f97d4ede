import FoundationEssentials
import GRDB
import Glibc
package import Rights
import Synchronization

/// The index of everything that is known of all accounts, for searching: `search.sqlite` in the data directory.
///
/// Everything in it can be learned again. A damaged file, or one of another version, is set aside and made again; the
/// main database is not affected. A loss of power may undo the last changes, but does not damage the file.
package final class SearchIndex: Sendable {
    /// The file's name in the data directory.
    package static let fileName = "search.sqlite"

    /// The file's path.
    package let path: String
    /// Whether the file was just made, or was not closed properly: it may lack what other records have.
    package let needsComparison: Bool
    let writer: any DatabaseWriter
    let seed: Int64
    private let isClosed = Atomic(false)

    /// Opens the index in a directory; makes it if it is missing, and again if it is damaged. Blocks.
    ///
    /// - Returns: the index, and whether a damaged one was set aside.
    /// - Throws: ``HostDatabaseError`` when the file can be neither used nor made.
    package static func open(
        directory: String, options: HostDatabase.Options = .init()
    ) throws -> (index: SearchIndex, isRebuilt: Bool) {
        let path = directory + "/" + fileName
        do {
            return (try SearchIndex(directory: directory, path: path, options: options), false)
        } catch let error as HostDatabaseError {
            guard error.code == .damaged else { throw error }
            try setAside(path)
            return (try SearchIndex(directory: directory, path: path, options: options), true)
        }
    }

    /// Whether a directory has an index.
    package static func exists(in directory: String) -> Bool { access(directory + "/" + fileName, F_OK) == 0 }

    private init(directory: String, path: String, options: HostDatabase.Options) throws {
        do {
            try HostDatabase.prepareFile(directory: directory, path: path)
            let kind = options.fileSystem ?? FileSystemKind(directory: directory)
            let writer = try HostDatabase.connect(path: path, kind: kind, options: options)
            if kind == .local {
                // What is lost with the power is learned again.
                try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            }
            let version = try writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            if version == 0 {
                try writer.write { if try !$0.tableExists("setting") { try SearchSchema.create($0) } }
            } else if version != SearchSchema.version {
                try? writer.close()
                throw HostDatabaseError.damaged(path: path, detail: "it has another version")
            }
            let settings = try writer.read { database in
                Dictionary(
                    try Row.fetchAll(database, sql: "SELECT name, value FROM setting").map { row -> (String, Int64) in
                        (row[0], row[1])
                    }
                ) { $1 }
            }
            guard let seed = settings["seed"] else {
                try? writer.close()
                throw HostDatabaseError.damaged(path: path, detail: "it has no seed")
            }
            // On a full disk this fails, and what is there is searched all the same.
            let isMarked: Void? = try? writer.write {
                try $0.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('closed', 0)")
            }
            let wasClosed = settings["closed"] == 1 && isMarked != nil
            self.path = path
            self.writer = writer
            self.seed = seed
            needsComparison = !wasClosed
        } catch let error as DatabaseError {
            throw HostDatabaseError(error, path: path)
        } catch let error as HostDatabaseError {
            throw error
        } catch {
            throw HostDatabaseError(code: .unavailable, message: "\(path) cannot be used: \(error)", cause: error)
        }
    }

    /// Moves a file that cannot be used beside its place, where it replaces the one before it.
    package static func setAside(_ path: String) throws {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        guard rename(path, path + ".damaged") == 0 || errno == ENOENT else {
            throw HostDatabaseError(
                code: .unavailable, message: "\(path) cannot be set aside: \(String(cString: strerror(errno)))")
        }
    }

    /// Closes the file after all running changes; every later call throws. Blocks. May be repeated.
    ///
    /// - Parameter isComplete: whether it has everything that was to be stored in it.
    package func close(isComplete: Bool = true) throws {
        guard isClosed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        if isComplete {
            try? writer.write {
                try $0.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('closed', 1)")
            }
        }
        // As for the main database: SQLite would leave its log, and with it pages of another file if this one is lost.
        _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try writer.close()
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await writer.write(body)
        } catch let error as DatabaseError {
            throw HostDatabaseError(error, path: path)
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await writer.read(body)
        } catch let error as DatabaseError {
            throw HostDatabaseError(error, path: path)
        }
    }

    /// The file's size in bytes, with its log.
    package var bytes: Int {
        [path, path + "-wal"].reduce(0) { total, path in
            var status = stat()
            return total + (stat(path, &status) == 0 ? Int(status.st_size) : 0)
        }
    }
}
