import FoundationEssentials

/// What a package contained before a save replaced it: the file beside the kept elements.
package struct KeptPackage: Hashable, Sendable, Codable {
    /// A file or folder of the package.
    package struct Element: Hashable, Sendable, Codable {
        /// Its path.
        package var path: PackagePath
        /// Whether it is a folder.
        package var isFolder: Bool
        /// The size in bytes, if known.
        package var size: Int64?
        /// The version of its content, if its provider reports one.
        package var version: String?
        /// The name of the file with its content; nil for a folder, and for content that was not on this machine.
        package var file: String?

        package init(path: PackagePath, isFolder: Bool, size: Int64? = nil, version: String? = nil, file: String? = nil)
        {
            self.path = path
            self.isFolder = isFolder
            self.size = size
            self.version = version
            self.file = file
        }

        /// Whether its content is not kept.
        package var isMissing: Bool { !isFolder && file == nil }
    }

    /// All elements, folders before their contents.
    package var elements: [Element]
    /// The version of the package with these elements.
    package var version: String
    /// When one of the elements was changed last, in seconds since 1970, if known.
    package var modified: Double?

    package init(elements: [Element], version: String, modified: Double? = nil) {
        self.elements = elements
        self.version = version
        self.modified = modified
    }

    /// The size of the elements that are kept, in bytes.
    package var size: Int64 { elements.reduce(0) { $0 + ($1.file == nil ? 0 : $1.size ?? 0) } }

    /// The element at a path.
    package func element(_ path: PackagePath) -> Element? { elements.first { $0.path == path } }

    /// The form on disk.
    func encoded() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

    /// Reads ``encoded()``.
    ///
    /// - Throws: `.corrupt`.
    init(decoding bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(KeptPackage.self, from: Data(bytes))
        } catch {
            throw FileSystemError(.corrupt, "The list of the elements of a kept package cannot be read.")
        }
    }
}
