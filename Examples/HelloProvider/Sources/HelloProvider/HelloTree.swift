import FileProvider

/// The documents and folders, and the rules for changing them: only the version that a change is based on is replaced,
/// names are unique in their folder, and every item is in a folder.
struct HelloTree {
    private struct Entry {
        var parent: ItemIdentifier
        var name: String
        /// nil for a folder.
        var content: [UInt8]?
        var version: String
        /// The operation that created it; nil if it was there from the start.
        var origin: ChangeOperation?
    }

    private var entries: [ItemIdentifier: Entry]

    init() {
        let letters = ItemIdentifier("letters")
        entries = [
            ItemIdentifier("welcome"): Self.document("Welcome.txt", in: .rootContainer, lines: 20),
            ItemIdentifier("report"): Self.document("Report.txt", in: .rootContainer, lines: 6_000),
            letters: Entry(parent: .rootContainer, name: "Letters", content: nil, version: "1"),
            ItemIdentifier("letter"): Self.document("To whom it may concern.txt", in: letters, lines: 200),
        ]
    }

    // MARK: Looking

    func item(_ identifier: ItemIdentifier) throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: identifier, parent: identifier, filename: "Hello")
        }
        let entry = try entry(identifier)
        guard let content = entry.content else {
            return FileProviderItem(folder: identifier, parent: entry.parent, filename: entry.name)
        }
        return FileProviderItem(
            identifier: identifier, parent: entry.parent, filename: entry.name, size: content.count,
            version: ItemVersion(content: entry.version))
    }

    func children(of folder: ItemIdentifier) throws -> [FileProviderItem] {
        try requireFolder(folder)
        return try entries.filter { $0.value.parent == folder }.keys
            .sorted { $0.rawValue < $1.rawValue }.map { try item($0) }
    }

    func content(of identifier: ItemIdentifier) throws -> [UInt8] {
        guard try !item(identifier).isFolder, let content = try entry(identifier).content else {
            throw FileProviderError(.invalidArgument, "A folder has no content.")
        }
        return content
    }

    // MARK: Changing

    mutating func create(
        _ name: String, in parent: ItemIdentifier, content: [UInt8]?, operation: ChangeOperation
    ) throws -> FileProviderItem {
        // Named after the operation: if it is repeated after a lost reply, it finds the item that it created before.
        let identifier = ItemIdentifier("item-\(operation.identifier)")
        if let made = entries[identifier] {
            guard made.origin == operation else {
                throw FileProviderError(.invalidArgument, "The operation has made something else before.")
            }
            return try item(identifier)
        }
        try requireFolder(parent)
        try requireFree(name, in: parent)
        entries[identifier] = Entry(
            parent: parent, name: name, content: content, version: operation.identifier, origin: operation)
        return try item(identifier)
    }

    mutating func replace(
        _ identifier: ItemIdentifier, base: ItemVersion?, content: [UInt8], operation: ChangeOperation
    ) throws -> FileProviderItem {
        _ = try self.content(of: identifier)
        var entry = try entry(identifier)
        guard entry.version != operation.identifier else { return try item(identifier) }
        try require(base, of: entry)
        (entry.content, entry.version) = (content, operation.identifier)
        entries[identifier] = entry
        return try item(identifier)
    }

    mutating func move(
        _ identifier: ItemIdentifier, base: ItemVersion?, to parent: ItemIdentifier, named name: String
    ) throws -> FileProviderItem {
        var entry = try entry(identifier)
        try require(base, of: entry)
        try requireFolder(parent)
        guard !isInside(parent, identifier) else {
            throw FileProviderError(.invalidArgument, "A folder cannot be moved into itself.")
        }
        try requireFree(name, in: parent, except: identifier)
        (entry.parent, entry.name) = (parent, name)
        entries[identifier] = entry
        return try item(identifier)
    }

    /// Returns all removed items.
    mutating func delete(
        _ identifier: ItemIdentifier, base: ItemVersion?, recursive: Bool
    ) throws -> [ItemIdentifier] {
        let entry = try entry(identifier)
        try require(base, of: entry)
        let gone = entries.keys.filter { isInside($0, identifier) }
        guard recursive || gone.count == 1 else {
            throw FileProviderError(.directoryNotEmpty, "\"\(entry.name)\" is not empty.")
        }
        for identifier in gone { entries[identifier] = nil }
        return gone
    }

    // MARK: Rules

    private func entry(_ identifier: ItemIdentifier) throws -> Entry {
        guard let entry = entries[identifier] else {
            throw FileProviderError(.noSuchItem, "There is no item \(identifier).")
        }
        return entry
    }

    private func require(_ base: ItemVersion?, of entry: Entry) throws {
        // A folder has no version.
        guard let base, entry.content != nil else { return }
        guard base == ItemVersion(content: entry.version) else {
            throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" was changed meanwhile.")
        }
    }

    private func requireFolder(_ identifier: ItemIdentifier) throws {
        guard try item(identifier).isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(try item(identifier).filename)\" is not a folder.")
        }
    }

    /// Names are compared byte by byte: in Swift, strings that look the same are equal. The SDK has refused invalid
    /// names.
    private func requireFree(
        _ name: String, in parent: ItemIdentifier, except moving: ItemIdentifier? = nil
    ) throws {
        let isTaken = entries.contains { identifier, entry in
            entry.parent == parent && ExactText(entry.name) == ExactText(name) && identifier != moving
        }
        guard !isTaken else { throw FileProviderError(.filenameCollision, "\"\(name)\" exists.") }
    }

    /// Whether an item is the folder or inside it at any depth.
    private func isInside(_ identifier: ItemIdentifier, _ folder: ItemIdentifier) -> Bool {
        var next = identifier
        while next != folder {
            guard let entry = entries[next] else { return false }
            next = entry.parent
        }
        return true
    }

    private static func document(_ name: String, in parent: ItemIdentifier, lines: Int) -> Entry {
        let text = (1...lines).map { "\($0): Hello from a provider that was dropped in.\n" }.joined()
        return Entry(parent: parent, name: name, content: Array(text.utf8), version: "1")
    }
}
