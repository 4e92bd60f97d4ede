import CLinux
import FoundationEssentials
import Glibc
import Storage

/// The namespaces of a process that say which world it sees.
package struct ProcessNamespaces: Sendable, Hashable {
    /// That of users.
    package var user: String
    /// That of mounts.
    package var mount: String
    /// That of processes.
    package var process: String
}

/// A process by its directory below `/proc`, held open: it stands for that one process, whoever gets its identifier later. Everything in it
/// is absent once the process has ended. Thread-safe.
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

    /// Where a link leads, as text.
    func link(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(directory.number, name, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The content of one of the kernel's small files; nil when it cannot be read or has more than a megabyte.
    func text(_ name: String) -> String? {
        let descriptor = clinux_openat(directory.number, name, CLINUX_O_RDONLY, 0)
        guard descriptor >= 0 else { return nil }
        return SmallFile.read(OpenDescriptor(owning: descriptor), atMost: 1 << 20)
    }

    /// The root directory of what the process sees, for names beneath it; asks nothing of its file system.
    func root() -> OpenDescriptor? {
        let descriptor = clinux_openat(directory.number, "root", CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
        return descriptor >= 0 ? OpenDescriptor(owning: descriptor) : nil
    }

    /// The mount of the process's world that a descriptor lies on, without asking its file system; nil when it is none, or not any more.
    func mount(of file: OpenDescriptor) -> MountTable.Mount? {
        // As long as the descriptor is open its mount's identifier is not used again.
        guard let identifier = ProcessDirectory.information(of: file.number, "mnt_id").flatMap({ Int($0) }) else {
            return nil
        }
        return text("mountinfo").flatMap { MountTable($0).mount(identifier) }
    }

    /// What the kernel tells of a descriptor of this process.
    static func information(of descriptor: CInt, _ key: String) -> Substring? {
        let file = clinux_open("/proc/self/fdinfo/\(descriptor)", CLINUX_O_RDONLY, 0)
        guard file >= 0, let text = SmallFile.read(OpenDescriptor(owning: file), atMost: 1 << 16) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(key + ":\t") }?.dropFirst(key.utf8.count + 2)
    }
}

/// Small text files of others.
enum SmallFile {
    /// Opens a regular file by its name in a directory, which is not followed if it is a link, and reads it.
    ///
    /// - Parameters:
    ///   - owner: whose it must be.
    ///   - limit: the most bytes that it may have.
    static func read(_ name: String, in directory: CInt, owner: uid_t? = nil, atMost limit: Int) -> String? {
        let descriptor = clinux_openat_beneath(directory, name, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK, 0)
        return descriptor >= 0 ? read(regular: OpenDescriptor(owning: descriptor), owner: owner, atMost: limit) : nil
    }

    /// Finds a file without opening it: what it lies on is asked nothing.
    static func locate(_ name: String, in directory: OpenDescriptor) -> OpenDescriptor? {
        let descriptor = clinux_openat_beneath(directory.number, name, CLINUX_O_PATH | CLINUX_O_NOFOLLOW, 0)
        return descriptor >= 0 ? OpenDescriptor(owning: descriptor) : nil
    }

    /// Opens and reads a file that was found.
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

    /// Reads an open file to its end; nil when it has more bytes than that, or is no UTF-8.
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
