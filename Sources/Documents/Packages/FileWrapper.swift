public import FoundationEssentials
import Synchronization

/// A file or folder of a package in memory. It replaces Foundation's class of the same name, which does not exist on
/// Linux.
///
/// A document that is a package is a tree of file wrappers. Each remembers where it was read from or saved to, so that
/// saving transfers only what is new. To change an element, replace its wrapper by another: elements are compared by
/// identity, and the content of a regular file never changes.
///
/// Thread-safe; concurrent changes of one folder each take effect as a whole. Packages consist of files and folders:
/// there are no wrappers for symbolic links.
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

    /// Creates a regular file with this content.
    public init(regularFileWithContents contents: Data) {
        state = Mutex(State(content: .regularFile(.data(contents))))
    }

    /// Creates a folder with these children by name. A child without a preferred name gets its name here as the
    /// preferred one.
    public init(directoryWithFileWrappers children: [String: FileWrapper]) {
        state = Mutex(State(content: .directory(children)))
        for (name, child) in children where child.preferredFilename == nil { child.preferredFilename = name }
    }

    /// Unavailable: packages have no symbolic links.
    @available(*, unavailable, message: "Packages consist of files and folders; wrap the link's target.")
    public convenience init(symbolicLinkWithDestinationURL destination: URL) {
        self.init(directoryWithFileWrappers: [:])
    }

    /// Creates an element that was read.
    init(_ content: Content, name: String?, origin: ElementOrigin?) {
        state = Mutex(State(content: content, preferredFilename: name, filename: name, origin: origin))
    }

    // MARK: Properties

    /// Whether this is a folder.
    public var isDirectory: Bool { fileWrappers != nil }
    /// Whether this is a regular file.
    public var isRegularFile: Bool { !isDirectory }

    /// The name to use in a folder that this is added to. A change affects only later additions.
    public var preferredFilename: String? {
        get { state.withLock { $0.preferredFilename } }
        set { state.withLock { $0.preferredFilename = newValue } }
    }

    /// The name when last read or saved; nil for a new element.
    public var filename: String? { state.withLock { $0.filename } }

    /// The content of a regular file; nil for a folder, and when it cannot be read (``contents()`` gives the reason).
    ///
    /// A large file of a package is read now, through a descriptor that has been open since the package was read. This
    /// blocks, and gives the content as it was then. The content is kept afterwards.
    public var regularFileContents: Data? { try? contents() }

    /// The content of a regular file. Blocks in the same way as ``regularFileContents``.
    ///
    /// - Throws: ``DocumentsError``: `invalidArgument` for a folder, `failed` when reading fails.
    public func contents() throws(DocumentsError) -> Data {
        guard case .regularFile(let content) = content else {
            throw DocumentsError(.invalidArgument, "\"\(preferredFilename ?? "")\" is a folder and has no content.")
        }
        let data = try content.read()
        // Keep the content for the next reader; it never changes.
        state.withLock { $0.content = .regularFile(.data(data)) }
        return data
    }

    /// The children of a folder by name; nil for a regular file.
    public var fileWrappers: [String: FileWrapper]? {
        guard case .directory(let children) = content else { return nil }
        return children
    }

    // MARK: Children

    /// Adds a child to a folder under its preferred name. If another child has that name, the new one gets a name
    /// derived from it. Names that differ only in case count as the same.
    ///
    /// This wrapper must be a folder, and the child must have a preferred name: anything else is a programming error.
    ///
    /// - Returns: the child's name in the folder.
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

    /// Creates a regular file and adds it to a folder, as ``addFileWrapper(_:)`` does.
    ///
    /// - Returns: its name in the folder.
    @discardableResult
    public func addRegularFile(withContents contents: Data, preferredFilename: String) -> String {
        let child = FileWrapper(regularFileWithContents: contents)
        child.preferredFilename = preferredFilename
        return addFileWrapper(child)
    }

    /// Removes a child from a folder; does nothing if it is not there.
    public func removeFileWrapper(_ child: FileWrapper) {
        changeChildren { children in children = children.filter { $0.value !== child } }
    }

    /// A child's name in this folder; nil if it is not there.
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

    // MARK: Reading and saving

    var content: Content { state.withLock { $0.content } }
    var origin: ElementOrigin? { state.withLock { $0.origin } }

    /// Adds a child under exactly the name that it has in the package.
    func adopt(_ child: FileWrapper, as name: String) { changeChildren { $0[name] = child } }

    /// Records where the element is now stored.
    func wasSaved(as origin: ElementOrigin, name: String?) {
        state.withLock { state in
            state.origin = origin
            state.filename = name
        }
    }
}
