public import FoundationEssentials
import Synchronization

/// A file or folder of a package in memory: what Foundation's class of that name is, which Linux lacks.
///
/// A document that is a package is a tree of these. Each remembers where it was read from or saved to, so that saving
/// transfers only what is new (N3): to change an element, put another wrapper in its place. Elements are compared by object,
/// and what a regular file holds never changes.
///
/// Thread-safe; changes of one folder by several threads each take effect as a whole. Packages consist of files and folders:
/// there are no wrappers of symbolic links.
public final class FileWrapper: Sendable {
    enum Content: Sendable {
        case regularFile(ElementContent)
        case directory([String: FileWrapper])
    }

    private struct State {
        var content: Content
        var preferredFilename: String?
        var filename: String?
        var origin: ElementOrigin?
    }

    private let state: Mutex<State>

    /// A regular file with these bytes.
    public init(regularFileWithContents contents: Data) {
        state = Mutex(State(content: .regularFile(.data(contents))))
    }

    /// A folder of these, by the names that they have in it. A child without a preferred name gets that name.
    public init(directoryWithFileWrappers children: [String: FileWrapper]) {
        state = Mutex(State(content: .directory(children)))
        for (name, child) in children where child.preferredFilename == nil { child.preferredFilename = name }
    }

    /// Packages have no symbolic links.
    @available(*, unavailable, message: "Packages consist of files and folders; wrap what the link leads to.")
    public convenience init(symbolicLinkWithDestinationURL destination: URL) {
        self.init(directoryWithFileWrappers: [:])
    }

    /// An element as it was read.
    init(_ content: Content, name: String?, origin: ElementOrigin?) {
        state = Mutex(State(content: content, preferredFilename: name, filename: name, origin: origin))
    }

    // MARK: What it is

    /// Whether it is a folder.
    public var isDirectory: Bool { fileWrappers != nil }
    /// Whether it is a file.
    public var isRegularFile: Bool { !isDirectory }

    /// The name that it is to have in a folder that it is added to. A change concerns later additions only.
    public var preferredFilename: String? {
        get { state.withLock { $0.preferredFilename } }
        set { state.withLock { $0.preferredFilename = newValue } }
    }

    /// The name under which it was last read or saved; nil for a new one.
    public var filename: String? { state.withLock { $0.filename } }

    /// The bytes of a regular file; nil for a folder, and where they cannot be read (``contents()`` says why).
    ///
    /// A large file that was read from a package is read now, through a descriptor that is open since, and kept: this
    /// blocks for that long, and gives the content of the moment when the package was read.
    public var regularFileContents: Data? { try? contents() }

    /// The bytes of a regular file. Blocks as ``regularFileContents`` does.
    ///
    /// - Throws: ``DocumentsError``: `invalidArgument` for a folder, `failed` when reading fails.
    public func contents() throws(DocumentsError) -> Data {
        guard case .regularFile(let content) = content else {
            throw DocumentsError(.invalidArgument, "\"\(preferredFilename ?? "")\" is a folder and has no content.")
        }
        let data = try content.read()
        // Whoever reads it twice should not wait twice; nothing else is ever put there.
        state.withLock { $0.content = .regularFile(.data(data)) }
        return data
    }

    /// The children of a folder by the names that they have in it; nil for a regular file.
    public var fileWrappers: [String: FileWrapper]? {
        guard case .directory(let children) = content else { return nil }
        return children
    }

    // MARK: Children

    /// Adds a child to a folder, under its preferred name, or under one made of that where another child has it already
    /// (names that differ in case only count as the same, M9).
    ///
    /// This wrapper must be a folder, and the child must have a preferred name: anything else is a mistake of the program.
    ///
    /// - Returns: the name that the child has in the folder.
    @discardableResult
    public func addFileWrapper(_ child: FileWrapper) -> String {
        guard let preferred = child.preferredFilename, !preferred.isEmpty else {
            preconditionFailure("A file wrapper needs a preferred file name before it is added to a folder.")
        }
        return changeChildren { children in
            if let name = children.first(where: { $0.value === child })?.key { return name }
            let name = ElementName.unique(preferred, among: children.keys)
            children[name] = child
            return name
        }
    }

    /// Makes a regular file and adds it to a folder, as ``addFileWrapper(_:)`` does.
    ///
    /// - Returns: the name that it has in the folder.
    @discardableResult
    public func addRegularFile(withContents contents: Data, preferredFilename: String) -> String {
        let child = FileWrapper(regularFileWithContents: contents)
        child.preferredFilename = preferredFilename
        return addFileWrapper(child)
    }

    /// Removes a child from a folder; nothing happens if it is not there.
    public func removeFileWrapper(_ child: FileWrapper) {
        changeChildren { children in children = children.filter { $0.value !== child } }
    }

    /// The name that a child has in this folder; nil if it is not there.
    public func keyForChildFileWrapper(_ child: FileWrapper) -> String? {
        fileWrappers?.first { $0.value === child }?.key
    }

    private func changeChildren<Result>(_ change: (inout [String: FileWrapper]) -> Result) -> Result {
        state.withLock { state in
            guard case .directory(var children) = state.content else {
                preconditionFailure("Only a folder's file wrapper has children.")
            }
            let result = change(&children)
            state.content = .directory(children)
            return result
        }
    }

    // MARK: Between memory and package

    var content: Content { state.withLock { $0.content } }
    var origin: ElementOrigin? { state.withLock { $0.origin } }

    /// Puts a child there under the very name that the package has it by.
    func adopt(_ child: FileWrapper, as name: String) { changeChildren { $0[name] = child } }

    /// Remembers where it is kept now.
    func wasSaved(as origin: ElementOrigin, name: String?) {
        state.withLock { state in
            state.origin = origin
            state.filename = name
        }
    }
}
