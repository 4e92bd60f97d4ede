import FileProvider
import FoundationEssentials

/// A document or a folder.
struct Entry: Codable {
    /// Where the content of a document is kept, and its size in bytes.
    struct Content: Codable {
        var number: Int
        var size: Int
    }

    /// Never reused, and kept when the item is renamed: rights and bookmarks depend on it.
    var identifier: String
    var parent: String
    var name: String
    /// nil for a folder.
    var content: Content?
    /// Changes with the content and with nothing else; nil for a folder.
    var version: String?
    /// Seconds since 1970.
    var modified: Double
}

/// All items and their recent changes. A value: a change is made on a copy, which takes effect once it is saved.
struct Tree: Codable {
    static let root = ItemIdentifier.rootContainer.rawValue
    /// How many changes and operations are remembered.
    private static let memory = 1_000

    private struct Change: Codable { var number: Int, identifier: String }
    private struct Operation: Codable { var name: String, digest: String?, identifier: String }

    /// Distinguishes an anchor of this tree from one of an earlier tree.
    private var origin = UUID().uuidString
    private(set) var entries: [String: Entry] = [:]
    private var lastIdentifier = 0
    private var lastChange = 0
    private var changes: [Change] = []
    private var operations: [Operation] = []

    // MARK: Looking

    /// An item, except for the root, which cannot be changed.
    func entry(_ identifier: String) throws -> Entry {
        guard identifier != Self.root else { throw FileProviderError(.notPermitted, "The top folder cannot change.") }
        guard let entry = entries[identifier] else {
            throw FileProviderError(.noSuchItem, "There is no item \(identifier).")
        }
        return entry
    }

    func document(_ identifier: String) throws -> Entry {
        guard identifier != Self.root, try entry(identifier).content != nil else {
            throw FileProviderError(.invalidArgument, "A folder has no content.")
        }
        return try entry(identifier)
    }

    func children(of parent: String, after last: String?, limit: Int) throws -> (entries: [Entry], hasMore: Bool) {
        try requireFolder(parent)
        let rest = children(of: parent).filter { last == nil || $0.identifier > last ?? "" }
        return (Array(rest.sorted { $0.identifier < $1.identifier }.prefix(limit)), rest.count > limit)
    }

    /// The anchor of the current state.
    var anchor: String { anchor(at: lastChange) }

    func changes(
        since anchor: String, limit: Int
    ) throws -> (changed: [Entry], deleted: [String], anchor: String, hasMore: Bool) {
        let parts = anchor.split(separator: " ")
        guard parts.count == 2, parts[0] == origin, let number = Int(parts[1]), number <= lastChange,
            number >= lastChange - changes.count
        else {
            throw FileProviderError(.syncAnchorExpired, "The changes since then are no longer known.")
        }
        let news = changes.filter { $0.number > number }
        let identifiers = Set(news.prefix(limit).map(\.identifier)).sorted()
        return (
            identifiers.compactMap { entries[$0] }, identifiers.filter { entries[$0] == nil },
            self.anchor(at: news.prefix(limit).last?.number ?? lastChange), news.count > limit
        )
    }

    /// The result of an operation that was carried out before and whose answer may have been lost. Carrying it out
    /// again would be a second change.
    func result(of operation: ChangeOperation) throws -> Entry? {
        guard let before = operations.first(where: { $0.name == operation.identifier }) else { return nil }
        guard before.digest == operation.digest else {
            throw FileProviderError(.invalidArgument, "The operation was carried out before with different content.")
        }
        return try entry(before.identifier)
    }

    private func anchor(at number: Int) -> String { "\(origin) \(number)" }

    // MARK: Changing

    mutating func create(
        _ name: String, in parent: String, _ content: Entry.Content?, _ version: String
    ) throws -> Entry {
        try requirePlace(name, in: parent, for: nil)
        lastIdentifier += 1
        return put(
            Entry(
                identifier: "item-\(lastIdentifier)", parent: parent, name: name, content: content,
                version: content == nil ? nil : version, modified: Date().timeIntervalSince1970))
    }

    mutating func modify(
        _ identifier: String, base: String?, _ content: Entry.Content?, _ version: String
    ) throws -> Entry {
        var entry = try document(identifier)
        try requireVersion(base, of: entry)
        (entry.content, entry.version, entry.modified) = (content, version, Date().timeIntervalSince1970)
        return put(entry)
    }

    mutating func move(_ identifier: String, base: String?, to parent: String, named name: String) throws -> Entry {
        var entry = try entry(identifier)
        try requireVersion(base, of: entry)
        try requirePlace(name, in: parent, for: identifier)
        var above = parent
        while above != Self.root {
            guard above != identifier else {
                throw FileProviderError(.invalidArgument, "A folder cannot be moved into itself.")
            }
            above = try self.entry(above).parent
        }
        (entry.parent, entry.name) = (parent, name)
        return put(entry)
    }

    mutating func delete(_ identifier: String, base: String?, recursive: Bool) throws {
        let entry = try entry(identifier)
        try requireVersion(base, of: entry)
        let below = children(of: identifier)
        guard recursive || below.isEmpty else {
            throw FileProviderError(.directoryNotEmpty, "\"\(entry.name)\" is not empty.")
        }
        for child in below { try delete(child.identifier, base: nil, recursive: true) }
        entries[identifier] = nil
        note(identifier)
    }

    mutating func remember(_ operation: ChangeOperation, _ identifier: String) {
        let done = Operation(name: operation.identifier, digest: operation.digest, identifier: identifier)
        operations = operations.suffix(Self.memory - 1) + [done]
    }

    private mutating func put(_ entry: Entry) -> Entry {
        entries[entry.identifier] = entry
        note(entry.identifier)
        return entry
    }

    private mutating func note(_ identifier: String) {
        lastChange += 1
        changes = changes.suffix(Self.memory - 1) + [Change(number: lastChange, identifier: identifier)]
    }

    // MARK: Checks

    private func children(of parent: String) -> [Entry] { entries.values.filter { $0.parent == parent } }

    private func requireFolder(_ identifier: String) throws {
        guard try identifier == Self.root || entry(identifier).content == nil else {
            throw FileProviderError(.invalidArgument, "\(identifier) is not a folder.")
        }
    }

    /// A client that changes an item states which version it saw, so that changes by others are never overwritten.
    private func requireVersion(_ base: String?, of entry: Entry) throws {
        guard base == nil || base == entry.version else {
            throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" was changed meanwhile.")
        }
    }

    /// Names are compared byte by byte. For Swift's `==`, an "é" of one character equals one of two.
    private func requirePlace(_ name: String, in parent: String, for identifier: String?) throws {
        try requireFolder(parent)
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
        else { throw FileProviderError(.invalidArgument, "\"\(name)\" cannot be the name of an item.") }
        let others = children(of: parent).filter { $0.identifier != identifier }
        if others.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            throw FileProviderError(.filenameCollision, "\"\(name)\" exists already.")
        }
    }
}
