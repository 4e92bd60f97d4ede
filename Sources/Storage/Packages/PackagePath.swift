/// The path of an element inside a package: 1 to 33 legal names, none of which is reserved for Docent's unfinished
/// work.
package struct PackagePath: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// The most elements of a package.
    package static let maximumCount = 10_000
    /// The deepest folder in a package.
    package static let maximumDepth = 32
    /// The longest path, in bytes.
    package static let maximumLength = 3072

    /// The names, separated by slashes.
    package let text: String

    /// Takes a path as written by a client or provider.
    ///
    /// - Throws: `.badName` for a path that is empty, leaves the package, is too long or too deep, or has a reserved
    ///   name.
    package init(_ text: String) throws {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        let isLegal = names.allSatisfy { name in
            FileName(bytes: name.utf8) != nil && !Self.ownPrefixes.contains { name.hasPrefix($0) }
        }
        guard isLegal, text.utf8.count <= Self.maximumLength, names.count <= Self.maximumDepth + 1 else {
            throw FileSystemError(
                .badName, "\"\(text.prefix(80))\" cannot be the path of an element of a package.",
                remedy: "Use names without slashes, at most \(Self.maximumDepth) folders deep.", path: text)
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// Decodes and checks again: a stored path is not trusted.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    // The names of files that exist beside a document while it is replaced or moved.
    private static let ownPrefixes = [".docent-stage-", ".docent-save-", ".docent-moved-"]

    /// The last component.
    package var name: String {
        text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? text
    }

    /// The folder that contains it; nil at the top of the package.
    package var parent: PackagePath? {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { PackagePath(unchecked: String(text[..<$0])) }
    }

    /// The folders that contain it, outermost first.
    package var ancestors: [PackagePath] {
        var found: [PackagePath] = []
        var next = parent
        while let path = next {
            found.append(path)
            next = path.parent
        }
        return found.reversed()
    }

    /// Whether it is in a folder, at any depth.
    package func isInside(_ folder: PackagePath) -> Bool {
        text.utf8.count > folder.text.utf8.count && text.utf8.starts(with: (folder.text + "/").utf8)
    }

    /// The number of folders that contain it.
    package var depth: Int { text.utf8.count { $0 == UInt8(ascii: "/") } }

    /// The text.
    package var description: String { text }

    /// Compares bytes.
    package static func < (left: PackagePath, right: PackagePath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    // Compares bytes: texts that only look alike are different paths on disk.
    package static func == (left: PackagePath, right: PackagePath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
