import CLinux
import Glibc
import Rights
package import Storage
import Synchronization

/// A read-only view of a folder of documents for confined clients: a detached mount, read-only, nosuid and nodev (S4).
///
/// A descriptor that was merely opened for reading can be reopened for writing through `/proc`, the file truncated, and
/// its mode and attributes changed. With a descriptor from a view, all of that fails with EROFS. A helper in its own
/// user namespace makes the view once; the view outlives the helper, and shows later changes. Thread-safe; the first
/// use blocks for some milliseconds.
package final class ReadOnlyView: Sendable {
    private enum State {
        case notMade
        case made(OpenDescriptor)
        case impossible
    }

    private let directory: OwnPath
    private let state = Mutex(State.notMade)

    /// - Parameter directory: the directory to show; it must exist at the first use.
    package init(directory: OwnPath) { self.directory = directory }

    /// Whether this machine supports views: user namespaces for ordinary users, and Linux 5.12.
    package var isPossible: Bool { root != nil }

    /// Opens a file of the directory for reading.
    ///
    /// - Returns: nil if views are not supported, or the path is not below the directory: the client then gets a
    ///   private copy.
    /// - Throws: ``FileSystemError``; `.unacceptable` for a link on the way or anything except a regular file (F3).
    package func open(path: String) throws -> OpenDescriptor? {
        guard path.begins(with: "\(directory)/"), let root else { return nil }
        let inside = String(decoding: path.utf8.dropFirst(directory.text.utf8.count + 1), as: UTF8.self)
        let number = clinux_openat_inside(root.number, inside, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK, 0)
        guard number >= 0 else {
            throw FileSystemError(
                number == -ENOENT ? .notFound : .unacceptable, "The document's file cannot be opened.", path: path)
        }
        let file = OpenDescriptor(owning: number)
        _ = try ForeignDescriptor.check(file.number, access: .readOnly)
        return file
    }

    /// Opens the same file that a descriptor of this process has open, if it is still in its place in the directory.
    ///
    /// - Returns: nil if ``open(path:)`` returns nil or fails, or another file has taken the place.
    package func open(sameAs descriptor: OpenDescriptor) -> OpenDescriptor? {
        guard let path = PathLookup.linkTarget("/proc/self/fd/\(descriptor.number)"),
            let file = try? open(path: path),
            let one = try? FileStatus(of: descriptor.number), let other = try? FileStatus(of: file.number),
            one.identity == other.identity
        else { return nil }
        return file
    }

    private var root: OpenDescriptor? {
        state.withLock { state in
            switch state {
            case .made(let root): return root
            case .impossible: return nil
            case .notMade:
                let view = clinux_read_only_view(directory.text, 1)
                guard view >= 0 else {
                    state = .impossible
                    return nil
                }
                let root = OpenDescriptor(owning: view)
                state = .made(root)
                return root
            }
        }
    }
}
