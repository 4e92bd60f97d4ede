/// What somebody says about a type: its parents and the tags by which it is known elsewhere.
///
/// A declaration may be wrong in any way (SEMANTICS 6): the registry that takes it in ignores what it cannot use.
public struct UniformTypeDeclaration: Sendable, Hashable {
    /// Who made a declaration.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// The table that comes with this module.
        case spine
        /// The owner of the type.
        case exported
        /// A program that uses the type of another.
        case imported
        /// The MIME database of the machine.
        case sharedMimeInfo
        /// Nobody: the type stands for a tag that is not declared.
        case dynamic
    }

    /// The identifier as declared; not checked.
    public var identifier: String
    /// The identifiers of the parents as declared; unknown ones and the type itself may be among them.
    public var conformsTo: [String]
    /// Tags by class, the preferred one first.
    public var tags: [UniformTypeTagClass: [String]]
    /// A short name for people, if there is one.
    public var localizedDescription: String?
    /// Who made the declaration.
    public var origin: Origin

    /// Makes a declaration.
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

    /// Reads one entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
    ///
    /// Parents and tags may each be a string or an array; what is of another kind is left out.
    ///
    /// - Parameters:
    ///   - propertyList: the dictionary of the entry, as a property list or JSON reader gives it.
    ///   - origin: whether it is exported or imported.
    /// - Returns: nil when there is no `UTTypeIdentifier`, for instance in an empty dictionary.
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
    ///   - propertyList: the value of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`; nil is an empty
    ///     list.
    ///   - origin: whether it is exported or imported.
    /// - Returns: what could be read, and a sentence for each entry that could not.
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
                problems.append("“\(declaration.identifier)” is not a type identifier.")
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
