import FileProvider

/// Resolves symbolic links name by name below the root, without ever opening anything through a link.
///
/// A target must be strictly below the root: not the root itself, nothing above or outside it, only a file or folder,
/// and nothing behind a cycle or a chain of more than ``longestChain`` links. A target is named by its own identifier
/// and opened with it as if there were no link, so it does no harm if the link changes a moment later. Safe to use from
/// any thread.
struct FolderLinks: Sendable {
    /// The most links that are followed to a target.
    static let longestChain = 8
    private static let longestWay = 1_024

    private let tree: FolderTree

    init(_ tree: FolderTree) { self.tree = tree }

    /// The target of a link.
    ///
    /// - Parameter folder: the names from the root to the link's folder.
    /// - Returns: nil if there is no target that may be reported.
    /// - Throws: `FileProviderError` when the target cannot be determined.
    func target(of name: LocalName, in folder: [LocalName]) throws -> ItemIdentifier? {
        try walk(to: [.name(name)], from: folder)
    }

    /// The target of a link with this text if it were in a folder.
    func target(_ text: [UInt8], in folder: [LocalName]) throws -> ItemIdentifier? {
        guard let (steps, isAbsolute) = steps(text) else { return nil }
        return try walk(to: steps, from: isAbsolute ? [] : folder, links: 1)
    }

    private enum Step {
        case up
        case name(LocalName)
    }

    private func walk(to steps: [Step], from folder: [LocalName], links taken: Int = 0) throws -> ItemIdentifier? {
        let root = try tree.root()
        var rest = Array(steps.reversed())
        var path = folder
        var links = taken
        var length = 0
        var found: LocalFileFacts?
        while let step = rest.popLast() {
            length += 1
            // Only a folder has entries, and `..`.
            guard length <= Self.longestWay, found.map({ $0.kind == .folder }) ?? true else { return nil }
            guard case .name(let name) = step else {
                guard path.popLast() != nil else { return nil }
                found = nil
                continue
            }
            guard !UnlistedName.isOne(name), let facts = try facts(of: name, in: path, root) else {
                return nil
            }
            guard facts.isSymbolicLink else {
                path.append(name)
                found = facts
                continue
            }
            links += 1
            guard links <= Self.longestChain, let text = try text(of: name, in: path, root),
                let (more, isAbsolute) = self.steps(text)
            else { return nil }
            if isAbsolute { path = [] }
            found = nil
            rest += more.reversed()
        }
        return try identifier(at: path, root)
    }

    /// The steps in a link's text. Absolute paths are resolved against the root, which they must lead into.
    private func steps(_ text: [UInt8]) -> (steps: [Step], isAbsolute: Bool)? {
        let slash = UInt8(ascii: "/")
        var text = text[...]
        let isAbsolute = text.first == slash
        if isAbsolute {
            var top = Array(tree.path.utf8)
            while top.last == slash { top.removeLast() }
            guard !top.isEmpty, text.starts(with: top), text.dropFirst(top.count).first == slash else { return nil }
            text = text.dropFirst(top.count)
        }
        var steps: [Step] = []
        for part in text.split(separator: slash) where part != [UInt8(ascii: ".")] {
            if part == [UInt8(ascii: "."), UInt8(ascii: ".")] {
                steps.append(.up)
            } else if let name = LocalName(bytes: part) {
                steps.append(.name(name))
            } else {
                return nil
            }
        }
        return steps.isEmpty && isAbsolute ? nil : (steps, isAbsolute)
    }

    private func facts(of name: LocalName, in path: [LocalName], _ root: FolderTree.Root) throws -> LocalFileFacts? {
        try ifThere { try root.directory.directory(at: path).facts(of: name) }
    }

    private func text(of name: LocalName, in path: [LocalName], _ root: FolderTree.Root) throws -> [UInt8]? {
        try ifThere { try root.directory.directory(at: path).linkText(of: name) }
    }

    /// nil both if there is nothing and if access is denied.
    private func ifThere<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileProviderError
            where [.noSuchItem, .notPermitted, .invalidArgument].contains(error.code)
        {
            return nil
        }
    }

    /// The item at a path without links. Records the places of everything on the way.
    private func identifier(at path: [LocalName], _ root: FolderTree.Root) throws -> ItemIdentifier? {
        guard let name = path.last else { return nil }
        var (directory, folder) = (root.directory, root.identity)
        for name in path.dropLast() {
            guard let next = try ifThere({ try directory.directory(at: [name]) }) else { return nil }
            let own = LocalFileIdentity(try next.facts(), rootDevice: root.device)
            tree.index.record(own, at: .init(folder: folder, name: name))
            (directory, folder) = (next, own)
        }
        guard let facts = try ifThere({ try directory.facts(of: name) }), facts.kind != .other else { return nil }
        let identity = LocalFileIdentity(facts, rootDevice: root.device)
        guard identity != root.identity else { return nil }
        tree.index.record(identity, at: .init(folder: folder, name: name))
        return ItemIdentifier(tree.log.identifier(of: identity))
    }
}
