import Documents
import FileSystemMessages
import Glibc
import Synchronization

/// The earlier versions of documents, as files that can only be read: every folder has a folder ``folderName``, which
/// no listing shows, and in it a folder for each document. Nothing here is recorded for the next server of the mount:
/// the kernel looks the names up again.
///
/// Thread-safe.
final class PastVersions: Sendable {
    /// What a node shows.
    enum Subject: Hashable, Sendable {
        /// The versions of all documents of a folder.
        case folder(UInt64)
        /// The versions of one document. The number is the folder's.
        case document(DocumentReference, folder: UInt64)
        case version(FileVersion, folder: UInt64)
        /// A file or folder in a version of a package.
        case element(PackageElement, of: FileVersion, folder: UInt64)

        /// The folder of the tree that it belongs to.
        var folder: UInt64 {
            switch self {
            case .folder(let folder), .document(_, let folder), .version(_, let folder), .element(_, _, let folder):
                folder
            }
        }

        /// Whether it is shown as a file.
        var isFile: Bool {
            switch self {
            case .folder, .document: false
            case .version(let version, _): !version.isPackage
            case .element(let element, _, _): !element.isFolder
            }
        }
    }

    /// A version and its name as a file.
    struct Named: Sendable {
        let name: String
        let version: FileVersion
    }

    private struct Node {
        let subject: Subject
        var lookUps: UInt64
        /// The size of the content that was opened, in bytes; before, what the version says.
        var size: UInt64
    }

    private struct Listing {
        let versions: [Named]
        let read: ContinuousClock.Instant
    }

    private struct State {
        var last: UInt64
        var nodes: [UInt64: Node] = [:]
        var numbers: [Subject: UInt64] = [:]
        var listings: [DocumentReference: Listing] = [:]
        var packages: [FileVersion: [PackageElement]] = [:]
    }

    /// The name of the folder.
    static let folderName = ".versions"
    /// The nodes of the tree have lower numbers.
    private static let first: UInt64 = 1 << 62
    /// How long the kernel may answer by itself, and a list of versions is used.
    static let validity: Duration = .seconds(1)
    private let mostListings = 64
    private let mostPackages = 4

    private let state: Mutex<State>
    private let user: UInt32
    private let group: UInt32

    /// - Parameters:
    ///   - user: the owner of all that is shown.
    ///   - number: greater than those of earlier servers of the mount, so that no number means something else later.
    init(user: UInt32 = getuid(), group: UInt32 = getgid(), number: UInt64 = OpenHandles.nanosecondsSinceStart) {
        self.user = user
        self.group = group
        state = Mutex(State(last: Self.first + number))
    }

    /// Whether a number is that of a node here, or was.
    static func owns(_ number: UInt64) -> Bool { number >= first }

    func subject(of number: UInt64) -> Subject? { state.withLock { $0.nodes[number]?.subject } }

    /// The node that shows something. It counts as looked up.
    func lookUp(_ subject: Subject) -> FoundNode {
        state.withLock { state in
            let number: UInt64
            if let known = state.numbers[subject] {
                number = known
            } else {
                state.last += 1
                number = state.last
                state.numbers[subject] = number
            }
            var node = state.nodes[number] ?? Node(subject: subject, lookUps: 0, size: Self.size(of: subject))
            node.lookUps += 1
            state.nodes[number] = node
            return FoundNode(node: number, attributes: attributes(node), validity: Self.validity)
        }
    }

    /// Takes look-ups back. What the kernel has forgotten is forgotten here too.
    func forget(_ all: [KernelRequest.Forgotten]) {
        state.withLock { state in
            for forgotten in all {
                guard let node = state.nodes[forgotten.node] else { continue }
                let left = node.lookUps - min(node.lookUps, forgotten.count)
                state.nodes[forgotten.node]?.lookUps = left
                guard left == 0 else { continue }
                state.nodes[forgotten.node] = nil
                state.numbers[node.subject] = nil
            }
        }
    }

    /// What `stat` shows; nil if there is no such node.
    func attributes(of number: UInt64) -> NodeAttributes? { state.withLock { $0.nodes[number].map(attributes) } }

    /// What `stat` shows of an open file of a node that is not known here.
    func attributes(of file: OpenHandles.OpenFile) -> NodeAttributes? {
        OpenDocuments.Stamp(of: file.descriptor).map { stamp in
            NodeAttributes(
                inode: StableNumber.of([Self.folderName, String(file.node)]), kind: .file, permissions: 0o400,
                size: stamp.size, allocated: stamp.size, modified: stamp.modified, user: user, group: group)
        }
    }

    /// Records the size of a content that was opened.
    ///
    /// - Returns: whether the kernel may remember another one.
    func correct(_ number: UInt64, size: UInt64) -> Bool {
        state.withLock { state in
            guard let node = state.nodes[number], node.size != size else { return false }
            state.nodes[number]?.size = size
            return true
        }
    }

    /// The number that programs see for what is listed here.
    static func inode(of subject: Subject) -> UInt64 {
        switch subject {
        case .folder(let folder): StableNumber.of([folderName, String(folder)])
        case .document(let document, _): StableNumber.of([folderName, document.url])
        case .version(let version, _):
            StableNumber.of([folderName, version.document.url, version.persistentIdentifier])
        case .element(let element, let version, _):
            StableNumber.of([folderName, version.document.url, version.persistentIdentifier, element.path])
        }
    }

    private static func size(of subject: Subject) -> UInt64 {
        switch subject {
        case .folder, .document: 0
        case .version(let version, _): UInt64(max(0, version.isPackage ? 0 : version.size ?? 0))
        case .element(let element, _, _): UInt64(max(0, element.size ?? 0))
        }
    }

    private func attributes(_ node: Node) -> NodeAttributes {
        let isFile = node.subject.isFile
        let modified =
            switch node.subject {
            case .folder, .document: 0.0
            case .version(let version, _), .element(_, let version, _):
                version.modificationDate ?? version.keptDate ?? 0
            }
        return NodeAttributes(
            inode: Self.inode(of: node.subject), kind: isFile ? .file : .folder, permissions: isFile ? 0o400 : 0o500,
            size: node.size, allocated: node.size, modified: FileTime(modified), user: user, group: group)
    }

    // MARK: Lists

    /// The versions of a document with their names, if they were listed a moment ago.
    func listing(of document: DocumentReference) -> [Named]? {
        state.withLock { state in
            guard let known = state.listings[document], .now - known.read < Self.validity else { return nil }
            return known.versions
        }
    }

    /// Records the versions of a document, the newest first.
    func note(_ versions: [FileVersion], of document: DocumentReference) -> [Named] {
        let named = zip(VersionNames.names(of: versions), versions).map(Named.init)
        state.withLock { state in
            if state.listings.count >= mostListings { state.listings = [:] }
            state.listings[document] = Listing(versions: named, read: .now)
        }
        return named
    }

    /// The elements of a version of a package, if they were listed lately. They never change.
    func elements(of version: FileVersion) -> [PackageElement]? { state.withLock { $0.packages[version] } }

    /// Records the elements of a version of a package.
    func note(_ elements: [PackageElement], of version: FileVersion) {
        state.withLock { state in
            if state.packages.count >= mostPackages { state.packages = [:] }
            state.packages[version] = elements
        }
    }
}
