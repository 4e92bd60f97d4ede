import FileProvider
import FoundationEssentials
import Glibc

/// Simulates changes by other clients of the service. A test writes them to a file in the domain's folder, one per
/// line: `others` is applied before the next call of any kind, `others.move` before the next `move`, `others.cut` when
/// a download is interrupted. The provider does not report them unless asked.
struct OtherDevices: Sendable {
    private let orders: String

    /// - Parameter storage: The domain's own folder.
    init(storage: String) { orders = storage + "/others" }

    /// Applies the changes in the file, once, before the first matching call.
    ///
    /// - Parameter method: The call that is about to be answered, one of ``Fault/methods``, or `cut`.
    /// - Returns: the removed items.
    /// - Throws: `invalidArgument` for an unknown change.
    func act(before method: String, on tree: DocumentTree) throws -> [Entry] {
        try [orders, "\(orders).\(method)"].flatMap { try act($0, tree) }
    }

    private func act(_ path: String, _ tree: DocumentTree) throws -> [Entry] {
        guard access(path, F_OK) == 0 else { return [] }
        let taken = "\(path).taken-\(UInt64.random(in: .min ... .max))"
        guard rename(path, taken) == 0 else { return [] }
        defer { unlink(taken) }
        let text = try Data(contentsOf: URL(filePath: taken))
        return try String(decoding: text, as: UTF8.self).split(separator: "\n").flatMap { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first ?? "", words.count) {
            case ("change", 2): try change(words[1], tree)
            case ("touch", 2): try change(words[1], tree, content: nil)
            case ("delete", 2): return try delete(words[1], tree)
            case ("make", 2): try make(words[1], in: nil, tree)
            case ("fill", 2): for _ in 1...45 { try make(nil, in: words[1], tree) }
            default:
                throw FileProviderError(
                    .invalidArgument,
                    "\"\(line)\" is not one of change NAME, touch NAME, delete NAME, make NAME and fill FOLDER.")
            }
            return []
        }
    }

    // Without content, only the version changes.
    private func change(_ name: String, _ tree: DocumentTree, content: [UInt8]? = Array("changed elsewhere\n".utf8))
        throws
    {
        let number = tree.number()
        if let content { try tree.files.store(content, as: "c\(number)") }
        try tree.commit { state in
            guard var entry = state.entries.values.first(where: { $0.isNamed(name) && !$0.isFolder }) else {
                return (TreeChange(), ())
            }
            if let content { (entry.content, entry.size) = ("c\(number)", content.count) }
            entry.version = "v\(number)"
            entry.modified = Date().timeIntervalSince1970
            return (TreeChange(entries: [entry]), ())
        }
    }

    private func delete(_ name: String, _ tree: DocumentTree) throws -> [Entry] {
        try tree.commit { state in
            let entry = state.entries.values.first { $0.isNamed(name) }
            let gone = entry.map { state.subtree($0.identifier) } ?? []
            return (TreeChange(removed: gone.map(\.identifier)), gone)
        }
    }

    // One change for each item, so that filling a folder makes more changes than fit in one reply.
    private func make(_ name: String?, in folder: String?, _ tree: DocumentTree) throws {
        let number = tree.number()
        let bytes = Array("from elsewhere\n".utf8)
        try tree.files.store(bytes, as: "c\(number)")
        try tree.commit { state in
            let parent = state.entries.values.first { $0.isFolder && $0.isNamed(folder ?? "") }?.identifier
            let now = Date().timeIntervalSince1970
            let entry = Entry(
                identifier: "i\(number)", parent: parent ?? TreeState.root, name: name ?? "Other \(number).txt",
                isFolder: false, content: "c\(number)", size: bytes.count, version: "v\(number)", created: now,
                modified: now)
            return (TreeChange(entries: [entry]), ())
        }
    }
}
