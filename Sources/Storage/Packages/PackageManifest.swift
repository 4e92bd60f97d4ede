import FoundationEssentials

/// What a package shall consist of: the file beside the staged elements that a commit makes durable (W 4), and whose digest is
/// that of the operation.
package struct PackageManifest: Hashable, Sendable, Codable {
    /// An element of the package as it was when its change began.
    package struct Base: Hashable, Sendable, Codable {
        /// Where it is.
        package var path: PackagePath
        /// Whether it is a folder.
        package var isFolder: Bool
        /// Bytes, where known.
        package var size: Int64?
        /// The version of its content, where its provider tells one.
        package var version: String?
        /// The identifier by which its provider knows it.
        package var identifier: String?

        package init(
            path: PackagePath, isFolder: Bool, size: Int64? = nil, version: String? = nil, identifier: String? = nil
        ) {
            self.path = path
            self.isFolder = isFolder
            self.size = size
            self.version = version
            self.identifier = identifier
        }
    }

    /// New content.
    package struct Content: Hashable, Sendable, Codable {
        /// The name of the staged file.
        package var file: String
        /// Bytes.
        package var size: Int64
        /// SHA-256 in hexadecimal.
        package var digest: String

        package init(file: String, size: Int64, digest: String) {
            self.file = file
            self.size = size
            self.digest = digest
        }
    }

    /// An element as it shall be. Neither a folder nor with content: unchanged from the source, else from the base.
    package struct Element: Hashable, Sendable, Codable {
        /// Where it shall be.
        package var path: PackagePath
        /// Whether it is a folder.
        package var isFolder: Bool
        /// New content.
        package var content: Content?
        /// What was there of the same kind.
        package var base: Base?
        /// What was at another path and is here now, unchanged.
        package var source: Base?

        package init(
            path: PackagePath, isFolder: Bool, content: Content? = nil, base: Base? = nil, source: Base? = nil
        ) {
            self.path = path
            self.isFolder = isFolder
            self.content = content
            self.base = base
            self.source = source
        }

        /// What of the base it is, unchanged: its content need not be given to a provider that has it.
        package var unchanged: Base? { isFolder ? nil : source ?? (content == nil ? base : nil) }
    }

    /// All elements, by path.
    package var elements: [Element]
    /// What was there and shall not be, by path.
    package var removed: [Base]

    package init(elements: [Element], removed: [Base]) {
        self.elements = elements
        self.removed = removed
    }

    /// Bytes of new content.
    package var size: Int64 { elements.reduce(0) { $0 + ($1.content?.size ?? 0) } }

    /// The form on disk: the same manifest gives the same bytes.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    /// Reads ``encoded()``.
    ///
    /// - Throws: `.corrupt`.
    package init(decoding bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(PackageManifest.self, from: Data(bytes))
        } catch {
            throw FileSystemError(.corrupt, "The list of a package's elements cannot be read.")
        }
    }
}
