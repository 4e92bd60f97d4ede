import FoundationEssentials
import Glibc

/// A temporary file in its own folder, removed with this object. A new document is first written here and then moved to
/// its place.
final class TemporaryContent: Sendable {
    let path: String
    private let folder: String

    /// Writes the file. Blocks.
    ///
    /// - Throws: ``DocumentsError`` `noSpace` or `failed`.
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
            "Cannot create a temporary file: \(String(cString: strerror(code))).")
    }
}
