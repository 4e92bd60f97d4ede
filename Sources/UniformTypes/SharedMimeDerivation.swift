/// Derives types from a MIME database.
struct SharedMimeDerivation {
    private let database: SharedMimeDatabase
    private let spine: DeclarationLayer
    private(set) var layer = DeclarationLayer()
    private(set) var spineTags: [UniformType: [UniformTypeTagClass: [String]]] = [:]
    /// The type of each MIME type and alias.
    private(set) var types: [String: UniformType] = [:]

    private static let archiveIcon = "package-x-generic"
    private static let parentsByIcon: [String: [UniformType]] = [
        archiveIcon: [.archive],
        "x-office-document": [.compositeContent],
        "x-office-spreadsheet": [.spreadsheet],
        "x-office-presentation": [.presentation],
        "text-x-script": [.script],
    ]
    private static let parentsByTopLevel: [String: UniformType] = [
        "text": .text, "image": .image, "audio": .audio, "video": .movie, "font": .font,
        "model": .threeDimensionalContent, "message": .message, "inode": .item,
    ]

    init(database: SharedMimeDatabase, spine: DeclarationLayer) {
        self.database = database
        self.spine = spine
    }

    mutating func run() {
        let spine = spine
        var aliases: [String: [String]] = [:]
        for (alias, type) in database.canonicalTypes where alias != type { aliases[type, default: []].append(alias) }
        var extensions: [String: [(weight: Int, text: String)]] = [:]
        for glob in database.globs where !glob.isWholeName {
            extensions[glob.mimeType, default: []].append((glob.weight, glob.text))
        }
        var mimeTypes = Set(database.globs.map(\.mimeType)).union(database.supertypes.keys)
        mimeTypes.formUnion(database.supertypes.values.joined())
        mimeTypes.formUnion(database.canonicalTypes.values)
        mimeTypes.formUnion(database.genericIcons.keys)
        // x-content describes whole discs, not files.
        let sorted = mimeTypes.filter { $0.utf8.contains(UInt8(ascii: "/")) && !$0.hasPrefix("x-content/") }.sorted()
        let allAliases = aliases.mapValues { $0.sorted() }

        for mimeType in sorted {
            let names = [mimeType] + (allAliases[mimeType] ?? [])
            let known = names.lazy.compactMap { spine.types(tagClass: .mimeType, normalizedTag: $0).first }.first
            let type = known ?? UniformType(checked: SharedMimeTypes.identifier(mimeType: mimeType))
            for name in names where types[name] == nil || name == mimeType { types[name] = type }
        }
        for mimeType in sorted {
            guard let type = types[mimeType], type != .data else { continue }
            let ranked = (extensions[mimeType] ?? []).enumerated().sorted {
                ($1.element.weight, $0.element.text) < ($0.element.weight, $1.element.text)
            }
            let tags: [UniformTypeTagClass: [String]] = [
                .filenameExtension: ranked.map(\.element.text),
                .mimeType: [mimeType] + (allAliases[mimeType] ?? []),
            ]
            if spine.declarations[type] != nil {
                spineTags[type, default: [:]].merge(tags) { $0 + $1 }
            } else {
                layer.add(
                    UniformTypeDeclaration(
                        identifier: type.identifier, conformsTo: parents(of: mimeType).map(\.identifier), tags: tags,
                        origin: .sharedMimeInfo),
                    indexesTags: false)
            }
        }
    }

    private func parents(of mimeType: String) -> [UniformType] {
        let icon = database.genericIcons[mimeType]
        let topLevel = String(mimeType.prefix { $0 != "/" })
        var parents: [UniformType] = []
        for supertype in database.supertypes[mimeType] ?? [] {
            // To a picker, a document inside a ZIP file is not an archive, and neither is a compressed image.
            if icon != Self.archiveIcon && isArchive(supertype) { continue }
            if let parent = types[supertype], parent != types[mimeType] { parents.append(parent) }
        }
        if parents.isEmpty || parents == [.data], let parent = Self.parentsByTopLevel[topLevel] {
            parents = [parent]
        }
        parents += icon.flatMap { Self.parentsByIcon[$0] } ?? []
        if icon?.hasPrefix("x-office-") == true { parents.append(.content) }
        if topLevel != "inode" { parents.append(.data) }
        var seen: Set<UniformType> = []
        return parents.filter { seen.insert($0).inserted }
    }

    private func isArchive(_ mimeType: String) -> Bool {
        let canonical = database.canonicalTypes[mimeType] ?? mimeType
        if database.genericIcons[canonical] == Self.archiveIcon { return true }
        return types[canonical].flatMap { spine.parents[$0] }?.contains(.archive) ?? false
    }
}
