import FileProvider
import FoundationEssentials

/// What a package on the server consisted of when a change of it began, to tell whether it still does. Pure.
struct PackageBase: Codable, Sendable {
    private struct Entry: Codable, Sendable {
        var path: String
        var isFolder: Bool
        var version: String?
        var size: Int?
        var modified: Double?
    }

    // A list, because texts that look the same would be one key to a decoder.
    private var entries: [Entry]

    init(_ tree: [ExactText: RemoteEntry]) {
        entries = tree.map { path, entry in
            Entry(
                path: path.text, isFolder: entry.isFolder, version: entry.version?.content, size: entry.size,
                modified: entry.modified)
        }
    }

    /// Whether it is the same. Some servers give a document another tag when it is renamed: then size and date decide.
    func isSame(as other: PackageBase) -> Bool {
        guard entries.count == other.entries.count else { return false }
        let present = Dictionary(
            other.entries.map { (ExactText($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        return entries.allSatisfy { entry in
            guard let now = present[ExactText(entry.path)], now.isFolder == entry.isFolder else { return false }
            if entry.isFolder { return true }
            if let version = entry.version, let tag = now.version, ExactText(version) == ExactText(tag) { return true }
            return entry.size == now.size && entry.modified != nil && entry.modified == now.modified
        }
    }
}
