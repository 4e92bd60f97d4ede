import CLinux
package import Documents
import Glibc

/// The file with the user's own rules, which `docent policy` and people write. It may be missing.
package enum DownloadPolicyFile {
    /// The most bytes that are read.
    package static let most = 65_536

    /// Identifies a state of the file.
    package struct Stamp: Sendable, Hashable {
        private let device: UInt64
        private let inode: UInt64
        private let size: UInt64
        private let modified: [Int64]
        private let changed: [Int64]

        init(_ status: clinux_stat) {
            device = status.device
            inode = status.inode
            size = status.size
            modified = [status.modified_seconds, Int64(status.modified_nanoseconds)]
            changed = [status.changed_seconds, Int64(status.changed_nanoseconds)]
        }
    }

    /// The path of the file; nil if the environment names no home.
    package static func path(_ environment: [String: String]) -> String? {
        let name = "/docent/view-policy.json"
        if let given = environment["XDG_CONFIG_HOME"], given.hasPrefix("/") { return given + name }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.config" + name
    }

    /// The present state of a file; nil if there is none.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` or `unavailable`.
    package static func stamp(of path: String) throws(DocumentsError) -> Stamp? {
        guard let descriptor = try openFile(path, CLINUX_O_PATH) else { return nil }
        defer { _ = clinux_close(descriptor) }
        return Stamp(try status(of: descriptor, path))
    }

    /// The rules of a file; nil if there is none. Blocks.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` or `unavailable` if it cannot be read, and `failed` if its content
    ///   is not valid.
    package static func read(_ path: String) throws(DocumentsError) -> DownloadPolicy? {
        // A pipe would wait for a writer.
        guard let descriptor = try openFile(path, CLINUX_O_RDONLY | CLINUX_O_NONBLOCK) else { return nil }
        defer { _ = clinux_close(descriptor) }
        let status = try status(of: descriptor, path)
        guard clinux_is_regular(status.mode) != 0 else {
            throw invalid(path, "It is not a regular file.")
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = part.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { clinux_read(descriptor, $0, buffer.count) } ?? 0
            }
            guard count >= 0 else { throw failure(path, CInt(-count)) }
            if count == 0 { break }
            bytes += part[0..<count]
            guard bytes.count <= most else { throw invalid(path, "It has more than 64 KiB.") }
        }
        do throws(DocumentsError) {
            return try DownloadPolicy(json: bytes)
        } catch { throw invalid(path, error.message) }
    }

    private static func openFile(_ path: String, _ flags: CInt) throws(DocumentsError) -> CInt? {
        let descriptor = clinux_open(path, flags, 0)
        if descriptor == -ENOENT || descriptor == -ENOTDIR { return nil }
        guard descriptor >= 0 else { throw failure(path, -descriptor) }
        return descriptor
    }

    private static func status(of descriptor: CInt, _ path: String) throws(DocumentsError) -> clinux_stat {
        var status = clinux_stat()
        let result = clinux_stat_fd(descriptor, &status)
        guard result == 0 else { throw failure(path, -result) }
        return status
    }

    private static func failure(_ path: String, _ code: CInt) -> DocumentsError {
        DocumentsError(
            code == EACCES ? .notPermitted : .unavailable,
            "\(path) cannot be read: \(String(cString: strerror(code))).")
    }

    private static func invalid(_ path: String, _ reason: String) -> DocumentsError {
        DocumentsError(
            .failed, "\(path) is not valid. \(reason)",
            suggestion: "Correct it, or start anew with `docent policy reset`.")
    }
}
