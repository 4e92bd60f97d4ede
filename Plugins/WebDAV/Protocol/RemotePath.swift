import FileProvider

/// The place of a resource below the root of the domain. Names are compared by bytes.
struct RemotePath: Hashable, Sendable {
    var names: [LocalName]

    init(_ names: [LocalName] = []) { self.names = names }

    static let root = RemotePath()

    var isRoot: Bool { names.isEmpty }
    var name: LocalName? { names.last }
    var parent: RemotePath { RemotePath(names.dropLast()) }

    func appending(_ name: LocalName) -> RemotePath { RemotePath(names + [name]) }

    /// Whether the path is below a folder, at any depth.
    func isBelow(_ folder: RemotePath) -> Bool {
        names.count > folder.names.count && names.starts(with: folder.names)
    }

    /// The path as an identifier, with a slash before each name.
    var identifier: ItemIdentifier {
        isRoot ? .rootContainer : ItemIdentifier(names.map { "/" + $0.displayed }.joined())
    }

    /// The path from which ``identifier`` was made; nil for any other identifier.
    init?(identifier: ItemIdentifier) {
        guard identifier != .rootContainer else {
            self.init()
            return
        }
        // Split by bytes: to Swift, a slash followed by a combining accent is one character and no slash.
        let parts = identifier.rawValue.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard parts.first?.isEmpty == true, parts.count > 1, parts.count < 200 else { return nil }
        let names = parts.dropFirst().map { LocalName(displayed: String($0)) }
        guard names.allSatisfy({ $0 != nil }) else { return nil }
        self.init(names.compactMap { $0 })
    }

    /// The name for messages; a slash for the root.
    var displayed: String { name?.displayed ?? "/" }
}
