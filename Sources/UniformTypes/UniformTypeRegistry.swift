import FoundationEssentials

/// All types that are known at one time, and their relations.
///
/// A registry is immutable and thread-safe; ``adding(exported:imported:)`` creates a new one. If a type is declared
/// more than once, the built-in table takes precedence over an exported declaration, and that over an imported one;
/// among equals, the first is used. The machine's MIME database comes last. It is read once, by the first query that
/// needs it, which takes a few milliseconds.
public final class UniformTypeRegistry: Sendable {
    let system: DeclarationLayer
    let exported: DeclarationLayer
    let imported: DeclarationLayer
    let mime: SharedMimeSource

    /// The module's built-in declarations.
    public static let spine: [UniformTypeDeclaration] = SpineEntry.all.map(\.declaration)

    private static let spineLayer: DeclarationLayer = {
        var layer = DeclarationLayer()
        for declaration in spine { layer.add(declaration) }
        return layer
    }()

    /// Creates a registry with only the given declarations.
    ///
    /// - Parameters:
    ///   - declarations: in order of precedence within each origin; invalid ones are ignored. Those with the origins
    ///     `.sharedMimeInfo` and `.dynamic` are also ignored, because the registry creates them itself.
    ///   - mimeDirectories: directories with the files of the shared MIME database (`globs2` and others), the most
    ///     important one first. They need not exist.
    public convenience init(
        declarations: [UniformTypeDeclaration] = UniformTypeRegistry.spine, mimeDirectories: [String] = []
    ) {
        var system = DeclarationLayer()
        for declaration in declarations where declaration.origin == .spine { system.add(declaration) }
        self.init(system: system, mimeDirectories: mimeDirectories, declarations: declarations)
    }

    private convenience init(
        system: DeclarationLayer, mimeDirectories: [String], declarations: [UniformTypeDeclaration]
    ) {
        self.init(
            system: system, exported: DeclarationLayer(), imported: DeclarationLayer(),
            mime: SharedMimeSource(directories: mimeDirectories, spine: system),
            newExported: declarations.filter { $0.origin == .exported },
            newImported: declarations.filter { $0.origin == .imported })
    }

    private init(
        system: DeclarationLayer, exported: DeclarationLayer, imported: DeclarationLayer, mime: SharedMimeSource,
        newExported: [UniformTypeDeclaration], newImported: [UniformTypeDeclaration]
    ) {
        self.system = system
        self.mime = mime
        self.exported = Self.layer(exported, adding: newExported, origin: .exported)
        self.imported = Self.layer(imported, adding: newImported, origin: .imported)
    }

    /// The registry of this machine: the built-in table, and the MIME database below the XDG data directories, if it is
    /// installed.
    ///
    /// - Parameter environment: provides `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME`; nil for this process's
    ///   environment.
    public static func system(environment: [String: String]? = nil) -> UniformTypeRegistry {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.local/share" }
        var directories: [String] = []
        if let directory = nonEmpty(environment["XDG_DATA_HOME"]) ?? home { directories.append(directory) }
        let shared = nonEmpty(environment["XDG_DATA_DIRS"]) ?? "/usr/local/share:/usr/share"
        directories += shared.split(separator: ":").map(String.init)
        let mimeDirectories = directories.filter { $0.hasPrefix("/") }.map { "\($0)/mime" }
        return UniformTypeRegistry(system: spineLayer, mimeDirectories: mimeDirectories, declarations: [])
    }

    /// A registry with additional declarations, for example those from the manifests of installed providers.
    ///
    /// - Parameters:
    ///   - newExported: declarations by the owners of types, regardless of their `origin`.
    ///   - newImported: declarations by programs that use types of other owners.
    public func adding(
        exported newExported: [UniformTypeDeclaration] = [], imported newImported: [UniformTypeDeclaration] = []
    ) -> UniformTypeRegistry {
        UniformTypeRegistry(
            system: system, exported: exported, imported: imported, mime: mime, newExported: newExported,
            newImported: newImported)
    }

    /// All declared types: built-in, exported and imported ones, then those of the MIME database.
    public var all: [UniformType] {
        var seen: Set<UniformType> = []
        return (system.order + exported.order + imported.order + mime.types.layer.order)
            .filter { seen.insert($0).inserted }
    }

    /// The effective declaration of a type.
    ///
    /// A built-in type also has its tags from the machine's MIME database. A dynamic type declares itself.
    ///
    /// - Returns: nil when the type is not declared.
    public func declaration(of type: UniformType) -> UniformTypeDeclaration? {
        if var declaration = system.declarations[type] {
            for (tagClass, tags) in mime.types.spineTags[type] ?? [:] {
                let own = declaration.tags[tagClass] ?? []
                var seen = Set(own)
                let merged = own + tags.filter { seen.insert($0).inserted }
                if !merged.isEmpty { declaration.tags[tagClass] = merged }
            }
            return declaration
        }
        if let declaration = exported.declarations[type] ?? imported.declarations[type] { return declaration }
        if let tag = DynamicTag(type) {
            return UniformTypeDeclaration(
                identifier: type.identifier, conformsTo: [tag.parent.identifier], tags: [tag.tagClass: [tag.tag]],
                origin: .dynamic)
        }
        return mime.types.layer.declarations[type]
    }

    private static func layer(
        _ layer: DeclarationLayer, adding declarations: [UniformTypeDeclaration], origin: UniformTypeDeclaration.Origin
    ) -> DeclarationLayer {
        var layer = layer
        for var declaration in declarations {
            declaration.origin = origin
            layer.add(declaration)
        }
        return layer
    }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
