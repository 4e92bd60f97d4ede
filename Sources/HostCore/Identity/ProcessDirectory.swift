import CLinux
import FoundationEssentials
import Glibc
import Storage

/// The namespaces of a process that determine what it sees.
package struct ProcessNamespaces: Sendable, Hashable {
    /// The user namespace.
    package var user: String
    /// The mount namespace.
    package var mount: String
    /// The process (PID) namespace.
    package var process: String
}

/// A process by its directory below `/proc`, held open: it refers to that one process even if its identifier is reused.
/// Everything in it is absent once the process has ended. Thread-safe.
struct ProcessDirectory: Sendable {
    private let directory: OpenDescriptor

    /// Nil when there is no such process.
    init?(_ process: pid_t) {
        let descriptor = clinux_open("/proc/\(process)", CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        guard descriptor >= 0 else { return nil }
        directory = OpenDescriptor(owning: descriptor)
    }

    /// The namespaces; nil when they cannot be read.
    var namespaces: ProcessNamespaces? {
        guard let user = link("ns/user"), let mount = link("ns/mnt"), let process = link("ns/pid") else { return nil }
        return ProcessNamespaces(user: user, mount: mount, process: process)
    }

    /// The target of a link, as text.
    func link(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(directory.number, name, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The content of one of the kernel's small files; nil when it cannot be read or is larger than a megabyte.
    func text(_ name: String) -> String? {
        let descriptor = clinux_openat(directory.number, name, CLINUX_O_RDONLY, 0)
        guard descriptor >= 0 else { return nil }
        return SmallFile.read(OpenDescriptor(owning: descriptor), atMost: 1 << 20)
    }

    /// The root directory of the process's view, for names beneath it; does not access its file system.
    func root() -> OpenDescriptor? {
        let descriptor = clinux_openat(directory.number, "root", CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
        return descriptor >= 0 ? OpenDescriptor(owning: descriptor) : nil
    }

    /// The mount, in the process's view, that a descriptor lies on, found without asking its file system; nil when
    /// there is none, or none any more.
    func mount(of file: OpenDescriptor) -> MountTable.Mount? {
        // While the descriptor is open, its mount's identifier is not reused.
        guard let identifier = ProcessDirectory.information(of: file.number, "mnt_id").flatMap({ Int($0) }) else {
            return nil
        }
        return text("mountinfo").flatMap { MountTable($0).mount(identifier) }
    }

    /// A field of the kernel's `fdinfo` of a descriptor of this process.
    static func information(of descriptor: CInt, _ key: String) -> Substring? {
        let file = clinux_open("/proc/self/fdinfo/\(descriptor)", CLINUX_O_RDONLY, 0)
        guard file >= 0, let text = SmallFile.read(OpenDescriptor(owning: file), atMost: 1 << 16) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(key + ":\t") }?.dropFirst(key.utf8.count + 2)
    }
}

/// Small text files that belong to other programs.
enum SmallFile {
    /// Opens a regular file by its name in a directory, without following a link, and reads it.
    ///
    /// - Parameters:
    ///   - owner: the required owner.
    ///   - limit: the maximum size in bytes.
    static func read(_ name: String, in directory: CInt, owner: uid_t? = nil, atMost limit: Int) -> String? {
        let descriptor = clinux_openat_beneath(directory, name, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK, 0)
        return descriptor >= 0 ? read(regular: OpenDescriptor(owning: descriptor), owner: owner, atMost: limit) : nil
    }

    /// Locates a file without opening it: its file system is not accessed.
    static func locate(_ name: String, in directory: OpenDescriptor) -> OpenDescriptor? {
        let descriptor = clinux_openat_beneath(directory.number, name, CLINUX_O_PATH | CLINUX_O_NOFOLLOW, 0)
        return descriptor >= 0 ? OpenDescriptor(owning: descriptor) : nil
    }

    /// Opens and reads a located file.
    static func read(located file: OpenDescriptor, atMost limit: Int) -> String? {
        let descriptor = clinux_reopen(file.number, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK)
        return descriptor >= 0 ? read(regular: OpenDescriptor(owning: descriptor), owner: nil, atMost: limit) : nil
    }

    private static func read(regular file: OpenDescriptor, owner: uid_t?, atMost limit: Int) -> String? {
        var status = clinux_stat()
        guard clinux_stat_fd(file.number, &status) == 0, clinux_is_regular(status.mode) == 1,
            status.size <= UInt64(limit), owner == nil || status.owner == owner
        else { return nil }
        return read(file, atMost: limit)
    }

    /// Reads an open file to its end; nil when it has more bytes than the limit or is not UTF-8.
    static func read(_ file: OpenDescriptor, atMost limit: Int) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = clinux_read(file.number, &buffer, buffer.count)
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
