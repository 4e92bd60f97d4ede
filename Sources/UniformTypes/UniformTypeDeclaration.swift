/// A declaration of a type: its parents, and its tags in other naming systems.
///
/// A declaration may be invalid in any way: the registry ignores what it cannot use.
public struct UniformTypeDeclaration: Sendable, Hashable {
    /// The source of a declaration.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// The module's built-in table.
        case spine
        /// The owner of the type.
        case exported
        /// A program that uses a type of another owner.
        case imported
        /// The machine's MIME database.
        case sharedMimeInfo
        /// No one: the type stands for an undeclared tag.
        case dynamic
    }

    /// The declared identifier; not validated.
    public var identifier: String
    /// The declared parents; they may include unknown types and the type itself.
    public var conformsTo: [String]
    /// The tags by class, the preferred one first.
    public var tags: [UniformTypeTagClass: [String]]
    /// A short name for people, if there is one.
    public var localizedDescription: String?
    /// The source of the declaration.
    public var origin: Origin

    /// Creates a declaration.
    public init(
        identifier: String,
        conformsTo: [String] = [],
        tags: [UniformTypeTagClass: [String]] = [:],
        localizedDescription: String? = nil,
        origin: Origin = .exported
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.tags = tags
        self.localizedDescription = localizedDescription
        self.origin = origin
    }

    /// Reads an entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
    ///
    /// Parents and tags may each be a string or an array; values of other kinds are ignored.
    ///
    /// - Parameters:
    ///   - propertyList: the entry's dictionary, as returned by a property list or JSON reader.
    ///   - origin: whether it is exported or imported.
    /// - Returns: nil when there is no `UTTypeIdentifier`, for example in an empty dictionary.
    public init?(propertyList: [String: Any], origin: Origin) {
        guard let identifier = propertyList["UTTypeIdentifier"] as? String else { return nil }
        let specification = propertyList["UTTypeTagSpecification"] as? [String: Any] ?? [:]
        var tags: [UniformTypeTagClass: [String]] = [:]
        for (name, value) in specification {
            let list = Self.strings(value)
            if !list.isEmpty { tags[UniformTypeTagClass(rawValue: name)] = list }
        }
        self.init(
            identifier: identifier, conformsTo: Self.strings(propertyList["UTTypeConformsTo"]), tags: tags,
            localizedDescription: propertyList["UTTypeDescription"] as? String, origin: origin)
    }

    /// Reads a whole list of declarations.
    ///
    /// - Parameters:
    ///   - propertyList: the value of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`; nil for an empty
    ///     list.
    ///   - origin: whether they are exported or imported.
    /// - Returns: the declarations that could be read, and a message for each entry that could not.
    public static func declarations(
        propertyList: Any?, origin: Origin
    ) -> (declarations: [UniformTypeDeclaration], problems: [String]) {
        guard let propertyList else { return ([], []) }
        guard let entries = propertyList as? [Any] else {
            return ([], ["The list of type declarations is not an array."])
        }
        var declarations: [UniformTypeDeclaration] = []
        var problems: [String] = []
        for (index, entry) in entries.enumerated() {
            guard let dictionary = entry as? [String: Any] else {
                problems.append("Type declaration \(index + 1) is not a dictionary.")
                continue
            }
            guard let declaration = UniformTypeDeclaration(propertyList: dictionary, origin: origin) else {
                problems.append("Type declaration \(index + 1) has no UTTypeIdentifier.")
                continue
            }
            if UniformType(declaration.identifier.trimmingWhitespace()) == nil {
                problems.append("\"\(declaration.identifier)\" is not a type identifier.")
            }
            declarations.append(declaration)
        }
        return (declarations, problems)
    }

    private static func strings(_ value: Any?) -> [String] {
        if let text = value as? String { return [text] }
        return (value as? [Any])?.compactMap { $0 as? String } ?? []
    }
}
