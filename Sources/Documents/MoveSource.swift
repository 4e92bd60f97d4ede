import CLinux
import Glibc

/// The source of a move, which the client owns and removes itself.
package struct MoveSource: ~Copyable {
    /// Identifies what was copied; only that may be removed.
    package struct Identity: Sendable, Equatable {
        package var device: Int
        package var inode: Int
        package var size: Int
        package var modificationNanoseconds: Int

        package init(device: Int, inode: Int, size: Int, modificationNanoseconds: Int) {
            self.device = device
            self.inode = inode
            self.size = size
            self.modificationNanoseconds = modificationNanoseconds
        }
    }

    /// The source, open for reading.
    package let descriptor: CInt
    private let directory: CInt
    private let name: String
    private let crash: (@Sendable (String) -> Void)?

    /// Opens the source. A symbolic link in the last component is not followed.
    ///
    /// - Parameter crash: for tests, called with the step's letter after each step.
    /// - Throws: ``DocumentsError`` `notFound`, `notPermitted`, or `invalidArgument` when it is not a regular file.
    package init(path: String, crash: (@Sendable (String) -> Void)? = nil) throws(DocumentsError) {
        let opened = try Self.open(path)
        (directory, descriptor, name) = opened
        self.crash = crash
    }

    private static func open(_ path: String) throws(DocumentsError) -> (CInt, CInt, String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = parts.popLast().map(String.init) ?? ""
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
        let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(path) }
        let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let error = failure(path)
            close(directory)
            throw error
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            close(directory)
            throw DocumentsError(.invalidArgument, "\(path) is not a regular file.")
        }
        return (directory, descriptor, name)
    }

    deinit {
        close(descriptor)
        close(directory)
    }

    /// Removes the source if it is still what was copied.
    ///
    /// - Returns: nil when it was removed, otherwise the reason why it was kept.
    package func remove(operation: String, copied: Identity) -> String? {
        let hidden = ".docent-moved-\(operation)"
        let renamed = clinux_renameat2(directory, name, directory, hidden, 1)
        guard renamed == 0 else { return "it cannot be renamed (\(String(cString: strerror(-renamed))))" }
        _ = clinux_fsync(directory)
        crash?("d")
        if let reason = difference(hidden, copied) {
            let back = clinux_renameat2(directory, hidden, directory, name, 1)
            _ = clinux_fsync(directory)
            return back == 0 ? reason : "\(reason), and it is now called \(hidden)"
        }
        crash?("e")
        let removed = clinux_unlinkat(directory, hidden, 0)
        guard removed == 0 else {
            _ = clinux_renameat2(directory, hidden, directory, name, 1)
            return "it cannot be removed (\(String(cString: strerror(-removed))))"
        }
        _ = clinux_fsync(directory)
        crash?("f")
        return nil
    }

    private func difference(_ hidden: String, _ copied: Identity) -> String? {
        var now = clinux_stat()
        guard clinux_stat_at(directory, hidden, &now) == 0 else { return "it has vanished" }
        guard Int(now.inode) == copied.inode else { return "another file took its place" }
        guard Int(now.size) == copied.size, Self.nanoseconds(now) == copied.modificationNanoseconds else {
            return "it changed after it was copied"
        }
        // A remaining writer could change the file after this check.
        return clinux_has_writer(descriptor) == 1 ? "a program still has it open for writing" : nil
    }

    private static func nanoseconds(_ status: clinux_stat) -> Int {
        Int(status.modified_seconds) * 1_000_000_000 + Int(status.modified_nanoseconds)
    }

    private static func failure(_ path: String) -> DocumentsError {
        let code = errno
        let kind: DocumentsError.Code =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .notPermitted
            case ELOOP: .invalidArgument
            default: .failed
            }
        return DocumentsError(kind, "\(path) cannot be opened: \(String(cString: strerror(code))).")
    }
}
