import FileProvider
import FoundationEssentials
import Glibc

/// The files of a ``DocumentTree``: a journal, and a file for each content.
struct TreeFiles: Sendable {
    /// The most bytes that are copied between two checks for cancellation.
    static let piece = 1 << 16

    private let directory: String
    private var journal: String { directory + "/journal" }

    /// - Parameter storage: The domain's own folder; created if necessary.
    init(storage: String) throws {
        directory = storage + "/tree"
        for path in [storage, directory, directory + "/contents"] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("make the folder \(path)") }
        }
    }

    /// The complete lines of the journal. A line that a kill cut short is dropped.
    func lines() throws -> [TreeChange] {
        guard let bytes = try? Data(contentsOf: URL(filePath: journal)) else { return [] }
        return bytes.split(separator: 0x0A).compactMap { try? JSONDecoder().decode(TreeChange.self, from: $0) }
    }

    /// Rewrites the journal.
    func rewrite(_ changes: [TreeChange]) throws {
        var bytes = Data()
        for change in changes { bytes += try JSONEncoder().encode(change) + [0x0A] }
        try bytes.write(to: URL(filePath: journal), options: .atomic)
    }

    /// Appends a line in one write.
    func append(_ change: TreeChange) throws {
        let line = [UInt8](try JSONEncoder().encode(change)) + [0x0A]
        let file = Glibc.open(journal, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("open the journal") }
        defer { close(file) }
        guard write(file, line, line.count) == line.count else { throw Self.failure("write the journal") }
    }

    /// The path of a content.
    func path(_ content: String) -> String { directory + "/contents/" + content }

    /// Stores content and reports progress.
    ///
    /// - Parameter isInPlace: Overwrites the existing content of that name, piece by piece.
    func store(
        _ contents: ContentReader, as name: String, progress: TransferProgress, isInPlace: Bool = false,
        service: SimulatedService
    ) async throws {
        let file = Glibc.open(path(name), O_WRONLY | O_CREAT | (isInPlace ? 0 : O_TRUNC) | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("store the content") }
        defer { close(file) }
        var offset = 0
        while offset < contents.size {
            let bytes = [UInt8](try contents.read(at: offset, count: Self.piece))
            guard !bytes.isEmpty else { throw FileProviderError(.failed, "The content ended early.") }
            guard write(file, bytes, bytes.count) == bytes.count else { throw Self.failure("store the content") }
            offset += bytes.count
            try await service.pass(pieceOf: (contents.size + Self.piece - 1) / Self.piece)
            try await progress.report(completed: offset, total: contents.size)
        }
        ftruncate(file, offset)
    }

    /// Stores content from memory.
    func store(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    /// Opens content for reading. It stays readable after it is replaced.
    func open(content name: String?) throws -> OpenFile {
        let file = name.map { Glibc.open(path($0), O_RDONLY | O_CLOEXEC) } ?? -1
        guard file >= 0 else { throw Self.failure("open the content") }
        return OpenFile(owning: file)
    }

    /// Removes content that is no longer referenced.
    func remove(_ contents: [String]) { for name in contents { unlink(path(name)) } }

    private static func failure(_ what: String) -> FileProviderError {
        let code = errno
        return FileProviderError(
            code == ENOSPC ? .insufficientQuota : .failed, "Cannot \(what).",
            underlying: [
                ErrorDetail(domain: "NSPOSIXErrorDomain", code: Int(code), text: String(cString: strerror(code)))
            ])
    }
}
