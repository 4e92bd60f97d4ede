import FileProvider
import FoundationEssentials

/// Stands for the service whose documents the provider shows: a tree in memory, stored in files that outlive the
/// process.
struct Service {
    /// The largest size of a document in bytes, because each is held in memory as a whole.
    static let maximumSize = 64 << 20

    private(set) var tree: Tree
    private let folder: String
    private var lastContent: Int

    init(folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let index = folder + "/tree.json"
        let isNew = !FileManager.default.fileExists(atPath: index)
        tree = isNew ? Tree() : try JSONDecoder().decode(Tree.self, from: Data(contentsOf: URL(filePath: index)))
        // Files that a killed process had written and that are not referenced.
        let used = Set(tree.entries.values.compactMap { $0.content.map { "\($0.number).content" } })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasSuffix(".content") && !used.contains(name) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        lastContent = tree.entries.values.compactMap { $0.content?.number }.max() ?? 0
        if isNew { try fill() }
    }

    func content(of entry: Entry) throws -> Data {
        guard let content = entry.content else { return Data() }
        return try Data(contentsOf: file(content))
    }

    /// Makes one change, once: an operation that was carried out before gets the same answer.
    mutating func change(
        _ operation: ChangeOperation, content: Data? = nil, _ body: (inout Tree, Entry.Content?) throws -> Entry
    ) throws -> Entry {
        if let before = try tree.result(of: operation) { return before }
        let stored = try content.map { try store($0) }
        var changed = tree
        do {
            let entry = try body(&changed, stored)
            changed.remember(operation, entry.identifier)
            try save(changed)
            return entry
        } catch {
            if let stored { try? FileManager.default.removeItem(at: file(stored)) }
            throw error
        }
    }

    mutating func delete(_ identifier: String, base: String?, recursive: Bool) throws {
        var changed = tree
        try changed.delete(identifier, base: base, recursive: recursive)
        try save(changed)
    }

    /// First on disk, as a whole or not at all, then in memory. Unreferenced content is removed last.
    private mutating func save(_ changed: Tree) throws {
        try JSONEncoder().encode(changed).write(to: URL(filePath: folder + "/tree.json"), options: .atomic)
        let used = Set(changed.entries.values.compactMap { $0.content?.number })
        for content in tree.entries.values.compactMap(\.content) where !used.contains(content.number) {
            try? FileManager.default.removeItem(at: file(content))
        }
        tree = changed
    }

    private mutating func store(_ content: Data) throws -> Entry.Content {
        lastContent += 1
        let stored = Entry.Content(number: lastContent, size: content.count)
        try content.write(to: file(stored))
        return stored
    }

    private func file(_ content: Entry.Content) -> URL { URL(filePath: "\(folder)/\(content.number).content") }

    private mutating func fill() throws {
        let welcome = Data("Hello from @NAME@.\n".utf8)
        let letter = Data("Dear reader,\n\nthis document is in a folder.\n".utf8)
        func operation(_ name: String) -> ChangeOperation { ChangeOperation(identifier: name) }
        _ = try change(operation("first"), content: welcome) { try $0.create("Welcome.txt", in: Tree.root, $1, "1") }
        let folder = try change(operation("second")) { tree, _ in try tree.create("Letters", in: Tree.root, nil, "") }
        _ = try change(operation("third"), content: letter) {
            try $0.create("A letter.txt", in: folder.identifier, $1, "1")
        }
    }
}
