import FoundationEssentials
import Glibc

/// A file of this process's own, in a folder of its own, which goes with it: what is written first when a document is created, and
/// then moved to its place (C11).
final class TemporaryContent: Sendable {
    let path: String
    private let folder: String

    /// Writes one. Blocks.
    ///
    /// - Throws: ``DocumentsError``: `noSpace`, or `failed`.
    init(holding data: Data) throws(DocumentsError) {
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        folder = place + "/docent-document-" + UUID().uuidString
        path = folder + "/content"
        guard mkdir(folder, 0o700) == 0 else { throw Self.failure(errno) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        defer { close(descriptor) }
        try DocumentFiles.write(data, to: descriptor)
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }

    private static func failure(_ code: CInt) -> DocumentsError {
        DocumentsError(
            code == ENOSPC || code == EDQUOT ? .noSpace : .failed,
            "A temporary file cannot be made: \(String(cString: strerror(code))).")
    }
}
