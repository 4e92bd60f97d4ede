import CLinux
import FoundationEssentials
import Synchronization

/// The source file of an export or a move, as a picker may read it. Thread-safe.
final class OriginalFile: Sendable {
    /// The open file.
    let contents: ContentReader
    private let name: String
    private let folder = "\(FileManager.default.temporaryDirectory.path)/docent-original-\(UUID().uuidString)"
    private let found = Mutex<URL?>(nil)

    init(_ contents: ContentReader, name: String) {
        self.contents = contents
        self.name = name
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A path at which the content can be read: the path of the open file or, where the sandbox forbids opening it by
    /// path, of a private copy. The copy is made once and removed with this object. The first call may block.
    var url: URL {
        found.withLock { found in
            if let found { return found }
            let direct = URL(filePath: "/proc/self/fd/\(contents.descriptor)", directoryHint: .notDirectory)
            let url = Self.isReadable(direct) ? direct : (try? copy()) ?? direct
            found = url
            return url
        }
    }

    private static func isReadable(_ url: URL) -> Bool {
        let descriptor = clinux_open(url.path, CLINUX_O_RDONLY, 0)
        guard descriptor >= 0 else { return false }
        _ = clinux_close(descriptor)
        return true
    }

    private func copy() throws -> URL {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let url = URL(filePath: folder, directoryHint: .isDirectory)
            .appending(path: LocalName(name)?.text ?? "document", directoryHint: .notDirectory)
        do {
            let descriptor = try SystemFailure.check(
                clinux_open(url.path, CLINUX_O_WRONLY | CLINUX_O_CREAT | CLINUX_O_EXCL, 0o600),
                "make a copy of the source")
            defer { _ = clinux_close(descriptor) }
            try FileCopy.copy(from: contents.descriptor, to: descriptor, count: contents.size)
            return url
        } catch {
            // It does not fit: the partial copy is removed.
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }
}
