import FileProvider
import Glibc

/// The content of a document, open for reading. It does not change when the document is changed.
struct Content: ~Copyable {
    private let file: OpenFile
    /// In bytes.
    let size: Int

    init(files: TreeFiles, entry: Entry, former: String? = nil) throws {
        let opened = try files.open(content: former ?? entry.content)
        size = try Self.size(of: opened.descriptor)
        file = opened
    }

    private static func size(of descriptor: CInt) throws -> Int {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileProviderError(.failed, "Cannot look at the content.") }
        return Int(facts.st_size)
    }

    /// A part of the content; shorter only at the end.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
        let wanted = bytes.count
        let done = pread(file.descriptor, &bytes, wanted, offset)
        guard done == wanted else { throw FileProviderError(.failed, "Cannot read the content.") }
        return bytes
    }
}
