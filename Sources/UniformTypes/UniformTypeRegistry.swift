import FoundationEssentials

/// All types that are known at one moment, and how they relate (SEMANTICS 7).
///
/// A registry never changes and may be used from any thread; ``adding(exported:imported:)`` makes a new one. When two
/// declare the same type, the built-in table comes before an exported declaration and that before an imported one;
/// among equals the first one counts. What the machine's MIME database says comes last, and it is read only
/// when a question needs it: the first such question takes some milliseconds, and it stays as it was then.
public final class UniformTypeRegistry: Sendable {
    let system: DeclarationLayer
    let exported: DeclarationLayer
    let imported: DeclarationLayer
    let mime: SharedMimeSource

    /// The declarations that come with this module.
    public static let spine: [UniformTypeDeclaration] = SpineEntry.all.map(\.declaration)

    private static let spineLayer: DeclarationLayer = {
        var layer = DeclarationLayer()
        for declaration in spine { layer.add(declaration) }
        return layer
    }()

    /// Makes a registry of nothing but what is given.
    ///
    /// - Parameters:
    ///   - declarations: in the order of precedence within one origin; unusable ones are left out. Those of the origins
    ///     `.sharedMimeInfo` and `.dynamic` are left out as well: they are made here.
    ///   - mimeDirectories: directories with the files of the shared MIME database (`globs2` and others), the one that
    ///     counts most first. They need not exist.
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

    /// The registry of this machine: the built-in table and the MIME database below the XDG data directories (7.4.6: it
    /// need not be installed).
    ///
    /// - Parameter environment: where `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME` are looked up; nil is that of this
    ///   process.
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

    /// A registry that knows more declarations, for instance those of the manifests of installed providers.
    ///
    /// - Parameters:
    ///   - newExported: declarations of the owners of types, whatever their `origin` says.
    ///   - newImported: declarations of programs that use the types of others.
    public func adding(
        exported newExported: [UniformTypeDeclaration] = [], imported newImported: [UniformTypeDeclaration] = []
    ) -> UniformTypeRegistry {
        UniformTypeRegistry(
            system: system, exported: exported, imported: imported, mime: mime, newExported: newExported,
            newImported: newImported)
    }

    /// Every declared type: the built-in ones, exported, imported, then those of the MIME database.
    public var all: [UniformType] {
        var seen: Set<UniformType> = []
        return (system.order + exported.order + imported.order + mime.types.layer.order)
            .filter { seen.insert($0).inserted }
    }

    /// The declaration that counts for a type.
    ///
    /// A built-in type also has the tags that the machine's MIME database gives it. A dynamic type is declared by
    /// itself.
    ///
    /// - Returns: nil when nobody declares the type.
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
