import FileProvider

/// What a back end can do, as it reports in `operations/fsinfo`.
struct RemoteTraits: Decodable, Sendable {
    private let features: [String: Bool]
    private let hashes: [String]?

    private enum CodingKeys: String, CodingKey {
        case features = "Features"
        case hashes = "Hashes"
    }

    // Any hash that tells two contents apart will do. The most common ones come first.
    private static let preferred = ["md5", "sha1", "sha256", "quickxor", "dropbox", "hidrive", "mailru", "crc32"]

    private func has(_ name: String) -> Bool { features[name] ?? false }

    /// The hash that serves as the version; nil if there is none, or if computing it means reading the content.
    var versionHash: String? {
        guard !has("SlowHash"), let hashes else { return nil }
        return Self.preferred.first(where: hashes.contains)
    }

    /// Whether names that differ only in case are the same name.
    var ignoresCase: Bool { has("CaseInsensitive") }
    /// Whether empty folders are kept.
    var keepsEmptyFolders: Bool { has("CanHaveEmptyDirectories") }
    /// Whether a document can be renamed without sending it again.
    var movesDocuments: Bool { has("Move") || has("Copy") }
    /// Whether a rename takes two steps, copy and removal, between which the document has two names.
    var copiesToMove: Bool { has("Copy") && !has("Move") }
    /// Whether a folder can be renamed in one step.
    var movesFolders: Bool { has("DirMove") }

    /// Whether the back end reports how much space there is.
    var knowsSpace: Bool { has("About") }

    func capabilities(isFolder: Bool, isRoot: Bool) -> ItemCapabilities {
        if isRoot { return [.reading, .addingSubItems] }
        var result: ItemCapabilities =
            isFolder ? [.reading, .addingSubItems, .deleting] : [.reading, .writing, .deleting]
        if isFolder ? movesFolders : movesDocuments { result.insert(.renaming) }
        return result
    }
}
