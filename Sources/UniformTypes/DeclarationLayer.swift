/// The valid declarations of one rank, with an index.
struct DeclarationLayer: Sendable {
    private(set) var declarations: [UniformType: UniformTypeDeclaration] = [:]
    private(set) var parents: [UniformType: [UniformType]] = [:]
    private(set) var order: [UniformType] = []
    private var tagged: [UniformTypeTagClass: [String: [UniformType]]] = [:]

    /// Adds a declaration with its tags. The first declaration of a type is kept.
    ///
    /// - Returns: false when the identifier is invalid, dynamic or already present.
    @discardableResult
    mutating func add(_ declaration: UniformTypeDeclaration, indexesTags: Bool = true) -> Bool {
        guard let type = UniformType(declaration.identifier.trimmingWhitespace()), !type.isDynamic,
            declarations[type] == nil
        else { return false }
        var kept = declaration
        kept.tags = [:]
        for (tagClass, tags) in declaration.tags {
            var seen: Set<String> = []
            let usable = tags.map { tagClass.normalized($0) }.filter { !$0.isEmpty && seen.insert($0).inserted }
            if !usable.isEmpty { kept.tags[tagClass] = usable }
            guard indexesTags else { continue }
            for tag in usable { tagged[tagClass, default: [:]][tag, default: []].append(type) }
        }
        declarations[type] = kept
        parents[type] = declaration.conformsTo.compactMap { UniformType($0.trimmingWhitespace()) }
        order.append(type)
        return true
    }

    /// The types with a tag, in the order in which they were added.
    func types(tagClass: UniformTypeTagClass, normalizedTag tag: String) -> [UniformType] {
        tagged[tagClass]?[tag] ?? []
    }
}
