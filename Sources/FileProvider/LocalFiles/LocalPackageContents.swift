import DocentInterfaces

/// The contents of a directory at any depth, for replacing it as a whole. Links are not followed, and the temporary
/// files of a running replacement are left out.
public struct LocalPackageContents: Sendable {
    /// A file or folder in the directory.
    public struct Element: Hashable, Sendable {
        /// The names from the directory to it.
        public let path: [LocalName]
        /// What the file system knows about it.
        public let facts: LocalFileFacts
    }

    /// The most elements of a package.
    public static let maximumCount = 10_000
    /// How deep folders may be nested in a package.
    public static let maximumDepth = 32

    /// The elements by their displayed paths.
    public private(set) var elements: [ExactText: Element] = [:]

    /// Reads a directory.
    ///
    /// - Throws: ``FileProviderError``; `notSupported` for more elements or deeper folders than a package may have,
    ///   `notPermitted` for links, FIFOs and devices in it, which a copy would lose; `CancellationError`.
    public init(_ directory: LocalDirectory) throws {
        var rest: [(path: [LocalName], shown: String)] = [([], "")]
        while let (path, shown) = rest.popLast() {
            let folder = try directory.directory(at: path)
            for entry in try LocalListing(folder) where !TemporaryName.isOurs(entry.name) {
                let facts = try folder.facts(of: entry.name)
                let text = shown + entry.name.displayed
                guard facts.kind != .other else {
                    throw FileProviderError(
                        .notPermitted,
                        "\"\(text)\" in the package is neither a file nor a folder; replacing would lose it.")
                }
                guard elements.count < Self.maximumCount, path.count < Self.maximumDepth else {
                    throw FileProviderError(
                        .notSupported,
                        "A package has at most \(Self.maximumCount) elements, \(Self.maximumDepth) folders deep.")
                }
                elements[ExactText(text)] = Element(path: path + [entry.name], facts: facts)
                if facts.kind == .folder { rest.append((path + [entry.name], text + "/")) }
            }
        }
    }

    /// The version of the package: that of all elements together.
    public var version: ItemVersion {
        ItemVersion(
            content: PackageVersion.text(
                elements.map { path, element in
                    PackageVersion.Element(
                        path: path.text, isFolder: element.facts.kind == .folder, version: element.facts.version.content
                    )
                }))
    }
}
