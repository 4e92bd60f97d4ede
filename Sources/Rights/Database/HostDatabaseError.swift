package import GRDB

/// Why the database could not be opened, read or written.
package struct HostDatabaseError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// The file was written by a newer version of Docent.
        case newerSchema
        /// The file is damaged or not a database. Nothing was changed or deleted.
        case damaged
        /// No space is left; no part of the change was stored.
        case full
        /// Another process or another host holds the database.
        case inUse
        /// Any other failure of the database or its file system.
        case unavailable
    }

    /// The kind of failure.
    package let code: Code
    /// A sentence that names the file and says what to do next.
    package let message: String
    /// The failure underneath, if any.
    package let cause: (any Error)?

    /// The message.
    package var description: String { message }

    /// Creates an error.
    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    static func newerSchema(path: String) -> HostDatabaseError {
        HostDatabaseError(
            code: .newerSchema,
            message: "\(path) was written by a newer version of Docent; update Docent or choose another data directory")
    }

    /// A file that cannot be read.
    package static func damaged(path: String, detail: String, cause: (any Error)? = nil) -> HostDatabaseError {
        HostDatabaseError(
            code: .damaged,
            message: "\(path) is damaged (\(detail)); nothing was changed; restore a backup beside it or move it away",
            cause: cause)
    }

    /// Translates a failure of SQLite; the arguments of its statements are never shown.
    package init(_ error: DatabaseError, path: String) {
        let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self = .damaged(path: path, detail: detail, cause: error)
        case .SQLITE_FULL:
            self.init(code: .full, message: "there is no space left for \(path); nothing was stored", cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(code: .inUse, message: "\(path) is in use by another process", cause: error)
        default:
            self.init(code: .unavailable, message: "\(path) cannot be used: \(detail)", cause: error)
        }
    }
}
