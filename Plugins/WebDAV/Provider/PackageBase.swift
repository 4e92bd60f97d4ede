import FileProvider
import FoundationEssentials

/// The contents of a package on the server when a change began, to detect changes by others. Pure.
struct PackageBase: Codable, Sendable {
    private struct Entry: Codable, Sendable {
        var path: String
        var isFolder: Bool
        var version: String?
        var size: Int?
        var modified: Double?
    }

    // A list, because a decoder would merge canonically equivalent strings used as keys.
    private var entries: [Entry]

    init(_ tree: [ExactText: RemoteEntry]) {
        entries = tree.map { path, entry in
            Entry(
                path: path.text, isFolder: entry.isFolder, version: entry.version?.content, size: entry.size,
                modified: entry.modified)
        }
    }

    /// Whether nothing has changed. Some servers give a document another tag when it is renamed; then size and date are
    /// compared.
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
