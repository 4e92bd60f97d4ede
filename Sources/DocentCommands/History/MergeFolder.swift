import CommandConsole
import Documents
import FoundationEssentials
import Glibc

/// A temporary folder of this user with the sides of a merge. The names of its files do not come from the document,
/// which somebody else may have named.
struct MergeFolder {
    /// The three sides, and the results.
    enum File: String, CaseIterable {
        /// What both sides started from; empty if that is not known.
        case base
        /// The content that was saved on this machine.
        case mine
        /// The current content.
        case theirs
        /// What the tool begins with.
        case begun
        /// What the tool writes.
        case merged
    }

    /// Its absolute path.
    let path: String
    /// Whether both sides started from a version that is kept.
    let hasBase: Bool
    /// The folder that it is in.
    let parent: String
    private let suffix: String

    /// Creates the folder, which the caller removes.
    ///
    /// - Parameter name: the document's name; tools take the kind of its text from the end of it.
    init(for name: String, hasBase: Bool) throws {
        self.hasBase = hasBase
        parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/docent-merge-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DocumentsError(
                .failed, "A folder cannot be made in \(parent): \(String(cString: strerror(errno))).",
                suggestion: "Set TMPDIR to a folder of yours.")
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        suffix = Self.suffix(of: name)
    }

    /// The extension of a name with its dot, if it is a plain one. Pure.
    static func suffix(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        let end = name[name.index(after: dot)...]
        let isPlain = end.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return (1...16).contains(end.utf8.count) && isPlain ? "." + end : ""
    }

    /// The path of a file.
    func path(of file: File) -> String { "\(path)/\(file.rawValue)\(suffix)" }

    /// Removes the folder with everything in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Writes one side.
    ///
    /// - Parameter source: read from its start; nil for an empty file.
    func write(_ file: File, _ source: CInt?) throws {
        let target = try LocalFile.create(Array(path(of: file).utf8))
        defer { close(target) }
        guard let source else { return }
        lseek(source, 0, SEEK_SET)
        try ContentPump.copy(from: source, to: target)
    }
}
