import FileProvider
import FoundationEssentials

/// What a package on the server consisted of when a change of it began, to tell whether it still does. Pure.
struct PackageBase: Codable, Sendable {
    private struct Entry: Codable, Sendable {
        var isFolder: Bool
        var version: String?
        var size: Int?
        var modified: Double?
    }

    private var entries: [String: Entry]

    init(_ tree: [String: RemoteEntry]) {
        entries = tree.mapValues {
            Entry(isFolder: $0.isFolder, version: $0.version?.content, size: $0.size, modified: $0.modified)
        }
    }

    /// Whether it is the same. Some servers give a document another tag when it is renamed: then size and date decide.
    func isSame(as other: PackageBase) -> Bool {
        guard entries.count == other.entries.count else { return false }
        return entries.allSatisfy { path, entry in
            guard let now = other.entries[path], now.isFolder == entry.isFolder else { return false }
            if entry.isFolder { return true }
            if let version = entry.version, version == now.version { return true }
            return entry.size == now.size && entry.modified != nil && entry.modified == now.modified
        }
    }
}
