package import DocentInterfaces
import FoundationEssentials
import Glibc

/// Directories whose path leaves room for a socket's name in the 107 bytes of a socket address.
package enum ShortDirectory {
    // As in StorageLayout: `/docent/docent.sock.` and a process number, with some reserve.
    private static let longest = 64
    private static let pattern = "XXXXXX"

    /// Creates the directory of a run, private to the user, in the directory for temporary files or, if that path is
    /// too long, in `/tmp`.
    ///
    /// - Throws: `Failure` when none can be created.
    package static func make() throws(Failure) -> String {
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let name = "docent-v-" + pattern
        // With room for the names inside it.
        let isShort = temporary.utf8.count + name.utf8.count + pattern.utf8.count + 2 <= longest
        return try make(name, in: isShort && temporary.hasPrefix("/") ? temporary : "/tmp")
    }

    /// Creates a directory for a case in the directory of its run, so that it is removed with that in any event.
    ///
    /// - Throws: `Failure` when none can be created.
    package static func makeInRun() throws(Failure) -> String {
        guard let place = ProcessInfo.processInfo.environment["DOCENT_VALIDATION_PLACE"] else { return try make() }
        return try make(pattern, in: place)
    }

    private static func make(_ name: String, in parent: String) throws(Failure) -> String {
        var path = Array((parent + "/" + name).utf8CString)
        guard mkdtemp(&path) != nil else {
            throw Failure(
                .unavailable, "No directory can be created in \(parent): \(String(cString: strerror(errno))).")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
