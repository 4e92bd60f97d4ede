package import DocentInterfaces
import FoundationEssentials
import Glibc

/// Directories with a path that leaves room for a socket's name in the 107 bytes of its address.
package enum ShortDirectory {
    // As StorageLayout counts: `/docent/docent.sock.` and a process number, with something to spare.
    private static let longest = 64

    /// Makes one, private to the user, in the directory for temporary files or, where that has too long a path, in `/tmp`.
    ///
    /// - Throws: `Failure` when none can be made.
    package static func make() throws(Failure) -> String {
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let name = "docent-v-XXXXXX"
        let parent = temporary.utf8.count + 1 + name.utf8.count <= longest ? temporary : "/tmp"
        var path = Array((parent + "/" + name).utf8CString)
        guard mkdtemp(&path) != nil else {
            throw Failure(.unavailable, "No directory can be made in \(parent): \(String(cString: strerror(errno))).")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
