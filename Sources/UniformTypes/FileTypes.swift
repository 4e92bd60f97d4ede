/// The types of many files, such as those of a folder: what an extension means is looked up once.
package struct FileTypes {
    private struct Ending: Hashable {
        var extensions: Substring
        var isDirectory: Bool
    }

    /// Enough for the extensions of any usual folder.
    private static let mostEndings = 256

    /// Where they are looked up.
    package let registry: UniformTypeRegistry
    private var known: [Ending: UniformType] = [:]

    /// Nothing is known yet.
    package init(_ registry: UniformTypeRegistry) { self.registry = registry }

    /// The same as ``UniformTypeRegistry/type(fileName:isDirectory:)``.
    package mutating func type(fileName: String, isDirectory: Bool) -> UniformType {
        // The type of a name without an extension depends on the whole name.
        guard let ending = Self.extensions(of: fileName),
            isDirectory || registry.mime.types.type(wholeName: fileName.lowercased()) == nil
        else { return registry.type(fileName: fileName, isDirectory: isDirectory) }
        let key = Ending(extensions: ending, isDirectory: isDirectory)
        if let type = known[key] { return type }
        let type = registry.type(fileName: fileName, isDirectory: isDirectory)
        if known.count >= Self.mostEndings { known.removeAll() }
        known[key] = type
        return type
    }

    /// What follows the first dot that is not at the start; nil if there is none, or if the name is a path.
    private static func extensions(of name: String) -> Substring? {
        let bytes = name.utf8
        guard !bytes.contains(UInt8(ascii: "/")), let start = bytes.firstIndex(where: { $0 != UInt8(ascii: ".") }),
            let dot = bytes[start...].firstIndex(of: UInt8(ascii: "."))
        else { return nil }
        return name[bytes.index(after: dot)...]
    }
}
