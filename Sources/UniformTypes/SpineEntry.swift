/// A row of the module's built-in table of types.
struct SpineEntry {
    let identifier: String
    let parents: String
    let extensions: String
    let mimeTypes: String
    let name: String

    /// Lists are separated by spaces. A parent without a dot gets the prefix `public.`.
    init(
        _ identifier: String, _ parents: String, extensions: String = "", mime mimeTypes: String = "", _ name: String
    ) {
        self.identifier = identifier
        self.parents = parents
        self.extensions = extensions
        self.mimeTypes = mimeTypes
        self.name = name
    }

    var declaration: UniformTypeDeclaration {
        var tags: [UniformTypeTagClass: [String]] = [:]
        if !extensions.isEmpty { tags[.filenameExtension] = Self.words(extensions) }
        if !mimeTypes.isEmpty { tags[.mimeType] = Self.words(mimeTypes) }
        return UniformTypeDeclaration(
            identifier: identifier,
            conformsTo: Self.words(parents).map { $0.contains(".") ? $0 : "public.\($0)" },
            tags: tags, localizedDescription: name, origin: .spine)
    }

    static let all = structure + text + media + documents + archives

    private static func words(_ list: String) -> [String] { list.split(separator: " ").map(String.init) }
}
