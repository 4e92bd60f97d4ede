import FoundationEssentials

/// The planned contents of a package: the file beside the staged elements that a commit makes durable (W4). Its digest
/// is the digest of the operation.
package struct PackageManifest: Hashable, Sendable, Codable {
    /// An element of the package as it was when the session began.
    package struct Base: Hashable, Sendable, Codable {
        /// Its path.
        package var path: PackagePath
        /// Whether it is a folder.
        package var isFolder: Bool
        /// The size in bytes, if known.
        package var size: Int64?
        /// The version of its content, if its provider reports one.
        package var version: String?
        /// The provider's identifier of the element.
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
        /// The size in bytes.
        package var size: Int64
        /// SHA-256 in hexadecimal.
        package var digest: String

        package init(file: String, size: Int64, digest: String) {
            self.file = file
            self.size = size
            self.digest = digest
        }
    }

    /// An element of the new package. If it is neither a folder nor has content, it is unchanged from the source, else
    /// from the base.
    package struct Element: Hashable, Sendable, Codable {
        /// Its path.
        package var path: PackagePath
        /// Whether it is a folder.
        package var isFolder: Bool
        /// New content.
        package var content: Content?
        /// The element of the same kind that was at this path before.
        package var base: Base?
        /// The element that was at another path before, unchanged.
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

        /// The base element whose content it has, unchanged: a provider that has this content need not be sent it.
        package var unchanged: Base? { isFolder ? nil : source ?? (content == nil ? base : nil) }
    }

    /// All elements, by path.
    package var elements: [Element]
    /// The removed elements of the base, by path.
    package var removed: [Base]

    package init(elements: [Element], removed: [Base]) {
        self.elements = elements
        self.removed = removed
    }

    /// The total size of the new content in bytes.
    package var size: Int64 { elements.reduce(0) { $0 + ($1.content?.size ?? 0) } }

    /// How many files of the base are removed or get other content. One that was only moved is not.
    package var replacedElements: Int {
        let moved = Set(elements.compactMap(\.source?.path))
        return removed.count { !$0.isFolder && !moved.contains($0.path) }
            + elements.count { element in
                guard let base = element.base, !base.isFolder else { return false }
                return element.source.map { $0.path != base.path } ?? (element.content != nil)
            }
    }

    /// The form on disk: the same manifest always gives the same bytes.
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
