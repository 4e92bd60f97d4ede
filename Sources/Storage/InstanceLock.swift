import CLinux
import Glibc

/// The right to be the only process for a directory, held while this object lives.
///
/// The kernel releases the lock when the process ends, however it ends. The file is never removed: otherwise two
/// processes could hold the lock.
package final class InstanceLock: Sendable {
    private let handle: OpenDescriptor
    /// The lock file.
    package let path: String

    private init(handle: OpenDescriptor, path: String) {
        self.handle = handle
        self.path = path
    }

    /// Takes the lock without waiting. Nil when another process has it; the caller then exits with 0.
    ///
    /// - Parameter hostName: this machine's name, for a data directory on a network file system.
    /// - Throws: `.locked` when the directory is on a network file system and the daemon of another host did not end
    ///   properly.
    package static func acquire(at path: String, hostName: String = currentHostName()) throws -> InstanceLock? {
        while true {
            let fd = clinux_open(path, CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_NOFOLLOW, 0o600)
            let handle = OpenDescriptor(owning: try checked(fd, "open the lock", path: path))
            let outcome = clinux_flock(handle.number, CLINUX_LOCK_EX | CLINUX_LOCK_NB)
            if outcome == -EWOULDBLOCK { return nil }
            try checked(outcome, "lock", path: path)
            // The file may have been replaced between opening and locking.
            var named = clinux_stat()
            let found = clinux_stat_at(CLINUX_AT_FDCWD, path, &named)
            guard found == 0, try FileStatus(named).identity == FileStatus(of: handle.number).identity else { continue }
            let lock = InstanceLock(handle: handle, path: path)
            try lock.claim(hostName: hostName)
            return lock
        }
    }

    /// The name of this machine.
    package static func currentHostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func claim(hostName: String) throws {
        var fileSystem = clinux_file_system()
        try checked(clinux_statfs_fd(handle.number, &fileSystem), "examine the file system", path: path)
        if NetworkFileSystem.magics.contains(fileSystem.magic), let last = Self.record(in: handle),
            last.hostName != hostName
        {
            throw FileSystemError(
                .locked, "The data directory is in use by process \(last.processID) on \"\(last.hostName)\".",
                remedy: "Stop the daemon there; if that machine is gone, rename \"\(path)\".", path: path)
        }
        try checked(clinux_ftruncate(handle.number, 0), "write the lock", path: path)
        let text = Array("\(getpid()) \(hostName)\n".utf8)
        try text.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            _ = try checked(clinux_pwrite(handle.number, start, bytes.count, 0), "write the lock", path: path)
        }
    }

    private static func record(in handle: OpenDescriptor) -> (processID: Int32, hostName: String)? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let got = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { clinux_pread(handle.number, $0, buffer.count, 0) } ?? 0
        }
        guard got > 0 else { return nil }
        let parts = String(decoding: bytes.prefix(got), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let first = parts.first, let processID = Int32(first) else { return nil }
        return (processID, parts.count > 1 ? String(parts[1]) : "")
    }
}
