import FileProvider

/// What a back end can do, as it says itself (`operations/fsinfo`).
struct RemoteTraits: Decodable, Sendable {
    private let features: [String: Bool]
    private let hashes: [String]?

    private enum CodingKeys: String, CodingKey {
        case features = "Features"
        case hashes = "Hashes"
    }

    // Any will do that tells two contents apart; those that most back ends have first.
    private static let preferred = ["md5", "sha1", "sha256", "quickxor", "dropbox", "hidrive", "mailru", "crc32"]

    private func has(_ name: String) -> Bool { features[name] ?? false }

    /// The hash that serves as version; nil where there is none, or it would be computed by reading the content.
    var versionHash: String? {
        guard !has("SlowHash"), let hashes else { return nil }
        return Self.preferred.first(where: hashes.contains)
    }

    /// Whether names that differ in case alone are one name.
    var ignoresCase: Bool { has("CaseInsensitive") }
    /// Whether a folder that is empty stays.
    var keepsEmptyFolders: Bool { has("CanHaveEmptyDirectories") }
    /// Whether a document can be given another name without being sent again.
    var movesDocuments: Bool { has("Move") || has("Copy") }
    /// Whether that takes two steps, a copy and a removal, between which the document has two names.
    var copiesToMove: Bool { has("Copy") && !has("Move") }
    /// Whether a folder can be given another name in one step.
    var movesFolders: Bool { has("DirMove") }

    /// What may be done with an item.
    func capabilities(isFolder: Bool, isRoot: Bool) -> ItemCapabilities {
        if isRoot { return [.reading, .addingSubItems] }
        var result: ItemCapabilities =
            isFolder ? [.reading, .addingSubItems, .deleting] : [.reading, .writing, .deleting]
        if isFolder ? movesFolders : movesDocuments { result.insert(.renaming) }
        return result
    }
}
