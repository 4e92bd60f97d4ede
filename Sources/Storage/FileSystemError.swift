import Glibc

/// A file system failure, in a form that code can branch on and a person can act on.
///
/// The errno is that of the failing system call, captured immediately.
package struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. A struct, so that kinds can be added without breaking a `switch` elsewhere.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, exists, denied, noSpace, tooLarge, changed, cancelled, deadline, unacceptable, badName
            case differentFileSystem, readOnly, locked, corrupt, unsupported, failed
        }

        private let kind: Kind

        /// The name does not exist.
        package static let notFound = Code(kind: .notFound)
        /// The name exists already.
        package static let exists = Code(kind: .exists)
        /// The user lacks the permission.
        package static let denied = Code(kind: .denied)
        /// The disk or the quota is full. Nothing was damaged.
        package static let noSpace = Code(kind: .noSpace)
        /// More bytes than declared, or than the file system can hold.
        package static let tooLarge = Code(kind: .tooLarge)
        /// The source changed while it was read, on the third attempt too.
        package static let changed = Code(kind: .changed)
        /// The caller cancelled.
        package static let cancelled = Code(kind: .cancelled)
        /// The deadline passed.
        package static let deadline = Code(kind: .deadline)
        /// A descriptor or file that is not accepted from others.
        package static let unacceptable = Code(kind: .unacceptable)
        /// Not a legal name of one path component.
        package static let badName = Code(kind: .badName)
        /// Two places that must be on the same file system are not.
        package static let differentFileSystem = Code(kind: .differentFileSystem)
        /// The file system is mounted read-only.
        package static let readOnly = Code(kind: .readOnly)
        /// Another process or host owns it.
        package static let locked = Code(kind: .locked)
        /// Stored content does not match the journal.
        package static let corrupt = Code(kind: .corrupt)
        /// The file system does not support it.
        package static let unsupported = Code(kind: .unsupported)
        /// Any other failure of a system call; see `errno`.
        package static let failed = Code(kind: .failed)

        /// The code's name, stable.
        package var description: String { kind.rawValue }
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for people: what failed, and why.
    package let message: String
    /// One sentence: what the user can do about it.
    package let remedy: String
    /// The error number of the system call; 0 when no call failed.
    package let errno: Int32
    /// The path or name concerned, for display; nil when there is none.
    package let path: String?

    /// The message and the remedy.
    package var description: String { "\(message) \(remedy)" }

    /// Creates an error that Docent found itself.
    package init(_ code: Code, _ message: String, remedy: String = "", errno: Int32 = 0, path: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy.isEmpty ? Self.remedy(for: code) : remedy
        self.errno = errno
        self.path = path
    }

    /// Creates the error of a failed system call. `action` completes the sentence "Cannot …".
    package init(errno number: Int32, _ action: String, path: String? = nil) {
        let code = Self.code(for: number)
        let place = path.map { " \"\($0)\"" } ?? ""
        self.init(
            code, "Cannot \(action)\(place): \(Self.text(number)).", errno: number, path: path)
    }

    private static func code(for number: Int32) -> Code {
        switch number {
        case ENOENT, ENOTDIR: .notFound
        case EEXIST: .exists
        case EACCES, EPERM: .denied
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case ECANCELED: .cancelled
        case ETIMEDOUT: .deadline
        case ELOOP, EXDEV: .unacceptable
        case ENAMETOOLONG: .badName
        case EROFS: .readOnly
        case ENOSYS, EOPNOTSUPP: .unsupported
        default: .failed
        }
    }

    private static func remedy(for code: Code) -> String {
        switch code {
        case .notFound: "Check that it has not been moved or removed."
        case .exists: "Choose another name."
        case .denied: "Check its owner and its permissions."
        case .noSpace: "Free some space and save again; the old document is unchanged."
        case .tooLarge: "Declare the true size, or choose a smaller file."
        case .changed: "Close the program that is writing it and try again."
        case .cancelled: "Start it again if you want to."
        case .deadline: "Try again when the storage answers."
        case .unacceptable: "Send a regular file, opened with the promised access."
        case .badName: "Choose a shorter name without \"/\"."
        case .differentFileSystem: "Keep Docent's data directory on one file system."
        case .readOnly: "Mount the file system for writing."
        case .locked: "Stop the other instance first."
        case .corrupt: "Run \"docent doctor\"; the stored copies are kept."
        case .unsupported: "Keep the data directory on a local Linux file system such as ext4, xfs or btrfs."
        default: "Check the disk and the system log, then try again."
        }
    }

    private static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Returns a system call's result, or throws its negative errno as an error.
@discardableResult
func checked<Value: SignedInteger>(
    _ result: Value, _ action: @autoclosure () -> String, path: @autoclosure () -> String? = nil
) throws(FileSystemError) -> Value {
    guard result < 0 else { return result }
    throw FileSystemError(errno: Int32(-result), action(), path: path())
}
