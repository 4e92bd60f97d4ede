/// The state of an unfinished package after the changes so far. A plain value; the content is on disk.
package struct PackagePlan: Sendable {
    private enum State: Hashable, Sendable {
        case folder
        case unchanged
        case written(PackageManifest.Content, source: PackagePath?)
        case moved(PackagePath)
    }

    /// The elements when the session began.
    package let base: [PackagePath: PackageManifest.Base]
    private var states: [PackagePath: State] = [:]
    /// The bytes of the staged files.
    package private(set) var stagedBytes: UInt64 = 0

    /// Begins with the existing elements, or with none.
    ///
    /// - Throws: `.tooLarge` for more elements than a package may have.
    package init(base: [PackageManifest.Base], replacing: Bool) throws {
        self.base = Dictionary(base.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        if !replacing {
            for element in base { states[element.path] = element.isFolder ? .folder : .unchanged }
        }
        try requireRoom()
    }

    /// The number of elements.
    package var count: Int { states.count }

    /// Gives an element new content; missing parent folders are created.
    ///
    /// - Parameter source: the path of identical content in the base, if any.
    /// - Returns: the staged file that is no longer needed.
    /// - Throws: `.exists` when the path is a folder or a parent is a file, `.tooLarge`.
    package mutating func write(
        _ path: PackagePath, _ content: PackageManifest.Content, source: PackagePath? = nil
    ) throws -> String? {
        if states[path] == .folder { throw Self.taken(path, "a folder") }
        try makeFolders(path.ancestors)
        let old = file(path)
        set(.written(content, source: source), at: path)
        try requireRoom()
        return old == content.file ? nil : old
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Throws: `.exists` when the path or a parent is a file, `.tooLarge`.
    package mutating func makeFolder(_ path: PackagePath) throws {
        try makeFolders(path.ancestors + [path])
        try requireRoom()
    }

    /// Removes the element at a path, a folder with its contents. A missing element is no error.
    ///
    /// - Returns: the staged files that are no longer needed.
    package mutating func remove(_ path: PackagePath) -> [String] {
        var files: [String] = []
        for known in states.keys where known == path || known.isInside(path) {
            if let file = file(known) { files.append(file) }
            set(nil, at: known)
        }
        return files
    }

    /// Restores the element that was at a path, a folder with all its contents.
    ///
    /// - Returns: the staged file that is no longer needed.
    /// - Throws: `.notFound` when there was none, `.exists` when an element of another kind is there now, `.tooLarge`.
    package mutating func keep(_ path: PackagePath) throws -> String? {
        guard let element = base[path] else {
            throw FileSystemError(
                .notFound, "There was no \"\(path)\" in the package.", remedy: "Stage its content.", path: path.text)
        }
        guard element.isFolder else {
            if states[path] == .folder { throw Self.taken(path, "a folder") }
            try makeFolders(path.ancestors)
            let old = file(path)
            set(.unchanged, at: path)
            try requireRoom()
            return old
        }
        try makeFolders(path.ancestors + [path])
        for inner in base.values where inner.path.isInside(path) && states[inner.path] == nil {
            states[inner.path] = inner.isFolder ? .folder : .unchanged
        }
        try requireRoom()
        return nil
    }

    /// Puts a file of the base at another path, unchanged; missing parent folders are created.
    ///
    /// - Returns: the staged file that is no longer needed.
    /// - Throws: `.notFound` when there was no file, `.exists` when the path is a folder or a parent is a file,
    ///   `.tooLarge`.
    package mutating func move(_ source: PackagePath, to path: PackagePath) throws -> String? {
        guard let element = base[source], !element.isFolder else {
            throw FileSystemError(
                .notFound, "There was no file \"\(source)\" in the package.", remedy: "Stage its content.",
                path: source.text)
        }
        if states[path] == .folder { throw Self.taken(path, "a folder") }
        try makeFolders(path.ancestors)
        let old = file(path)
        set(.moved(source), at: path)
        try requireRoom()
        return old
    }

    private mutating func makeFolders(_ paths: [PackagePath]) throws {
        for path in paths {
            if let state = states[path], state != .folder { throw Self.taken(path, "a file") }
            states[path] = .folder
        }
    }

    private mutating func set(_ state: State?, at path: PackagePath) {
        stagedBytes -= Self.bytes(states[path])
        stagedBytes += Self.bytes(state)
        states[path] = state
    }

    private static func bytes(_ state: State?) -> UInt64 {
        if case .written(let content, _)? = state { UInt64(clamping: content.size) } else { 0 }
    }

    private func file(_ path: PackagePath) -> String? {
        if case .written(let content, _) = states[path] { content.file } else { nil }
    }

    private func requireRoom() throws {
        guard states.count <= PackagePath.maximumCount else {
            throw FileSystemError(
                .tooLarge, "A package has at most \(PackagePath.maximumCount) elements.",
                remedy: "Use a folder of documents instead.")
        }
    }

    private static func taken(_ path: PackagePath, _ what: String) -> FileSystemError {
        FileSystemError(
            .exists, "There is \(what) at \"\(path)\" in the package.",
            remedy: "Choose another name, or move that away first.", path: path.text)
    }

    /// The planned contents of the package.
    package var manifest: PackageManifest {
        var elements: [PackageManifest.Element] = []
        for (path, state) in states.sorted(by: { $0.key < $1.key }) {
            let isFolder = state == .folder
            let before = base[path].flatMap { $0.isFolder == isFolder ? $0 : nil }
            let (content, source): (PackageManifest.Content?, PackagePath?) =
                switch state {
                case .written(let new, let source): (new, source)
                case .moved(let source): (nil, source)
                case .folder, .unchanged: (nil, nil)
                }
            elements.append(
                .init(
                    path: path, isFolder: isFolder, content: content, base: before,
                    source: source.flatMap { base[$0] }))
        }
        let kept = Set(elements.filter { $0.base != nil }.map(\.path))
        return PackageManifest(
            elements: elements, removed: base.values.filter { !kept.contains($0.path) }.sorted { $0.path < $1.path })
    }
}
