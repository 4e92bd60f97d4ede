extension FileWrapper {
    /// How to read a package.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bit mask.
        public let rawValue: Int
        /// Creates options from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Reads all content now, even of large files.
        public static let immediate = ReadingOptions(rawValue: 1)
    }

    /// The largest size, in bytes, of an element that is read at once.
    static let smallSize = 64 << 10
    /// The largest number of bigger elements that are held open for later; any more are read at once.
    static let heldFiles = 256

    /// Reads a package, within a coordinated read of it.
    ///
    /// Small elements are read now. Larger ones are opened now and read when their content is asked for. Up to 256
    /// files are held open in this way, for as long as their wrappers exist.
    ///
    /// - Throws: ``DocumentsError``; `notSupported` for a package that contains a symbolic link.
    public static func read(
        from reader: PackageReader, options: ReadingOptions = []
    ) async throws(DocumentsError) -> FileWrapper {
        try await read(
            reader.elements(), options: options,
            origin: { element in
                ElementOrigin(
                    package: reader.reference, path: element.path, version: element.version,
                    packageVersion: reader.version)
            }
        ) { (element) async throws(DocumentsError) in try await reader.openForReading(element) }
    }

    /// Reads the elements of a package or of a version of one.
    static func read(
        _ elements: [PackageElement], options: ReadingOptions, origin: (PackageElement) -> ElementOrigin?,
        open: (PackageElement) async throws(DocumentsError) -> CInt
    ) async throws(DocumentsError) -> FileWrapper {
        var folders: [String: FileWrapper] = ["": FileWrapper(.directory([:]), name: nil, origin: nil)]
        var held = 0
        for element in elements.sorted(by: { $0.path < $1.path }) {
            let (folder, name) = split(element.path)
            let origin = origin(element)
            let child: FileWrapper
            if element.isFolder {
                child = FileWrapper(.directory([:]), name: name, origin: origin)
                folders[element.path] = child
            } else {
                let isSmall = (element.size ?? .max) <= smallSize
                let file = ElementContent.HeldFile(try await open(element))
                var content = ElementContent.file(file)
                if options.contains(.immediate) || isSmall || held >= heldFiles {
                    content = .data(try content.read())
                } else {
                    held += 1
                }
                child = FileWrapper(.regularFile(content), name: name, origin: origin)
            }
            folders[folder]?.adopt(child, as: name)
        }
        guard let root = folders[""] else { throw DocumentsError(.failed, "The package has no folder.") }
        return root
    }

    /// Stages the changes that turn the package into this one: new elements are sent and missing ones removed. Elements
    /// that the package already has are neither read nor sent. Commit the session afterwards.
    ///
    /// - Throws: ``DocumentsError``: `invalidArgument` for a regular file, and for invalid file names.
    public func write(to session: PackageWriteSession) async throws(DocumentsError) {
        guard let entries = try entries() else {
            throw DocumentsError(
                .invalidArgument, "A package is a folder, and this is a regular file.",
                suggestion: "Write its content with a write session, or wrap it in a folder.")
        }
        let base = Dictionary(session.elements.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let nodes = entries.map { entry in
            let origin = entry.wrapper.origin
            let isThere =
                origin.map { $0.isCurrent(base[$0.path], of: session.reference, at: session.baseVersion) } ?? false
            return PackageDifference.Node(
                path: entry.path, isFolder: entry.wrapper.isDirectory, source: isThere ? origin?.path : nil)
        }
        let wrappers = Dictionary(entries.map { ($0.path, $0.wrapper) }, uniquingKeysWith: { first, _ in first })
        for step in PackageDifference(base: session.elements, wanted: nodes).steps {
            switch step {
            case .remove(let path): try await session.remove(at: path)
            case .folder(let path): try await session.makeFolder(at: path)
            case .keep(let source, let path):
                do throws(DocumentsError) { try await session.keep(elementAt: source, at: path) } catch {
                    // Send elements that cannot be moved inside their package.
                    guard error.code == .notSupported || error.code == .invalidArgument else { throw error }
                    try await wrappers[path]?.send(to: session, at: path)
                }
            case .file(let path): try await wrappers[path]?.send(to: session, at: path)
            }
        }
        remember(entries, of: nodes, in: session, base)
    }

    private func send(to session: PackageWriteSession, at path: String) async throws(DocumentsError) {
        guard case .regularFile(let content) = content else { return }
        try await session.write(try content.open(), at: path)
    }

    /// Records in every element where it is stored, once the change is durable.
    private func remember(
        _ entries: [Entry], of nodes: [PackageDifference.Node], in session: PackageWriteSession,
        _ base: [String: PackageElement]
    ) {
        let versions = nodes.map { node in node.source.flatMap { base[$0]?.version } }
        session.afterCommit { item in
            for (entry, version) in zip(entries, versions) {
                entry.wrapper.wasSaved(
                    as: ElementOrigin(
                        package: session.isNew ? item.reference : session.reference, path: entry.path, version: version,
                        packageVersion: item.version),
                    name: Self.split(entry.path).name)
            }
        }
    }

    /// Whether a package is still what this wrapper was read from or last saved as, and the wrapper has not changed
    /// since. Reads no content.
    public func matchesContents(of reader: PackageReader) async throws(DocumentsError) -> Bool {
        guard let entries = try entries() else { return false }
        let elements = try await reader.elements()
        let there = Dictionary(elements.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        guard there.count == entries.count else { return false }
        return entries.allSatisfy { entry in
            guard let element = there[entry.path], element.isFolder == entry.wrapper.isDirectory else { return false }
            guard !element.isFolder else { return true }
            guard let origin = entry.wrapper.origin, origin.path == entry.path else { return false }
            return origin.isCurrent(element, of: reader.reference, at: reader.version)
        }
    }

    // MARK: The tree as a list

    struct Entry: Sendable {
        let path: String
        let wrapper: FileWrapper
    }

    /// All elements below this folder with their paths, each folder before its children; nil for a regular file.
    func entries() throws(DocumentsError) -> [Entry]? {
        guard let children = fileWrappers else { return nil }
        var found: [Entry] = []
        var rest = children.map { (Entry(path: $0.key, wrapper: $0.value), name: $0.key) }
        while let (entry, name) = rest.popLast() {
            try ElementName.check(name)
            // A folder that contains itself would never end.
            guard entry.path.utf8.count <= ElementName.longestPath else {
                throw DocumentsError(.invalidArgument, "The package is too deep, or contains itself: \(entry.path).")
            }
            found.append(entry)
            guard let children = entry.wrapper.fileWrappers else { continue }
            rest += children.map { (Entry(path: "\(entry.path)/\($0.key)", wrapper: $0.value), name: $0.key) }
        }
        return found
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
