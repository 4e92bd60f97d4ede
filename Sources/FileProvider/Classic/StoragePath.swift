import FoundationEssentials

/// The names from the storage root to a document. Never leads out of the storage.
struct StoragePath: Hashable, Sendable {
    /// At least one name.
    let names: [LocalName]

    /// Creates a path from text with slashes; nil if it is empty, is absolute or leads out of the storage.
    init?(_ text: String) {
        let parts = text.pathComponents
        let names = parts.compactMap { LocalName($0) }
        guard !names.isEmpty, names.count == parts.count else { return nil }
        self.names = names
    }

    /// Creates a path from a file URL below a folder; nil if it is elsewhere or is the folder itself.
    init?(_ url: URL, below folder: URL) {
        guard url.isFileURL else { return nil }
        let root = Self.components(folder)
        let all = Self.components(url)
        guard all.count > root.count, zip(root, all).allSatisfy({ $0.isSame(as: $1) }) else { return nil }
        self.init(all.dropFirst(root.count).joined(separator: "/"))
    }

    /// The names, joined by slashes.
    var text: String { names.map(\.text).joined(separator: "/") }

    /// The file URL below a folder.
    func url(below folder: URL) -> URL {
        names.reduce(folder) { $0.appending(path: $1.text, directoryHint: .notDirectory) }
    }

    private static func components(_ url: URL) -> [String] {
        var names: [String] = []
        for part in url.path.pathComponents where !part.isEmpty && part != "." {
            if part == ".." { _ = names.popLast() } else { names.append(part) }
        }
        return names
    }
}
