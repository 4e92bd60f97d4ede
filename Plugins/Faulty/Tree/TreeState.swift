import FileProvider

/// The state of a ``DocumentTree`` in memory. Pure.
struct TreeState: Sendable {
    /// How many changes are kept for clients that ask for changes, unless a domain's settings say otherwise.
    static let rememberedChanges = 400
    /// How many operations are recognised when they are repeated.
    static let rememberedOperations = 1_000
    static let root = ItemIdentifier.rootContainer.rawValue

    private(set) var entries: [String: Entry] = [:]
    /// The content of the trash, by the identifier of the item that was moved there.
    private(set) var trash: [String: TreeChange.TrashedTree] = [:]
    /// The documents with their earlier contents, oldest first, where there is a history.
    private(set) var earlier: [String: [Entry]] = [:]
    private var children: [String: Set<String>] = [:]
    private var done: [String: TreeChange.Done] = [:]
    private var doneOrder: [String] = []
    private var history: [(sequence: Int, identifiers: [String])] = []
    private let remembered: Int
    private(set) var sequence = 0
    var serial = 0

    /// - Parameter remembered: How many changes are kept for clients that ask for changes.
    init(remembering remembered: Int = Self.rememberedChanges) { self.remembered = remembered }

    /// The documents with their earlier contents that a change makes unreachable.
    func unreachable(after change: TreeChange) -> [Entry] {
        let trashed = Set((change.trashed ?? []).flatMap(\.entries).map(\.identifier))
        return change.removed.filter { !trashed.contains($0) }.flatMap { earlier[$0] ?? [] }
    }

    /// The documents whose content a change replaces, as they are before it.
    func replaced(by change: TreeChange) -> [Entry] {
        change.entries.compactMap { entry in
            entries[entry.identifier].flatMap { $0.content != nil && $0.content != entry.content ? $0 : nil }
        }
    }

    /// Applies a change.
    mutating func apply(_ change: TreeChange) {
        for entry in unreachable(after: change) { earlier[entry.identifier] = nil }
        for entry in change.earlier ?? [] { earlier[entry.identifier, default: []].append(entry) }
        for identifier in change.removed {
            guard let entry = entries.removeValue(forKey: identifier) else { continue }
            children[entry.parent]?.remove(identifier)
            children[identifier] = nil
        }
        for entry in change.entries {
            if let old = entries.updateValue(entry, forKey: entry.identifier) {
                children[old.parent]?.remove(entry.identifier)
            }
            children[entry.parent, default: []].insert(entry.identifier)
        }
        for identifier in change.untrashed ?? [] { trash[identifier] = nil }
        for tree in change.trashed ?? [] {
            if let first = tree.entries.first { trash[first.identifier] = tree }
        }
        if let new = change.done {
            if done.updateValue(new, forKey: new.operation) == nil { doneOrder.append(new.operation) }
            if doneOrder.count > Self.rememberedOperations { done[doneOrder.removeFirst()] = nil }
        }
        sequence = max(sequence, change.sequence)
        serial = max(serial, change.serial)
        history.append((change.sequence, change.removed + change.entries.map(\.identifier)))
        if history.count > remembered { history.removeFirst() }
    }

    /// The item with an identifier, including the root.
    func entry(_ identifier: String) throws -> Entry {
        if identifier == Self.root {
            return Entry(
                identifier: identifier, parent: identifier, name: "Faulty", isFolder: true, version: "0", created: 0,
                modified: 0)
        }
        guard let entry = entries[identifier] else {
            throw FileProviderError(.noSuchItem, "There is no item \"\(identifier)\".")
        }
        return entry
    }

    /// The items of a folder, sorted by name.
    func list(_ identifier: String) throws -> [Entry] {
        guard try entry(identifier).isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(identifier)\" is a document and not a folder.")
        }
        return children[identifier, default: []].compactMap { entries[$0] }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The item with a name in a folder, if there is one.
    func child(_ name: String, of parent: String) -> Entry? {
        children[parent, default: []].lazy.compactMap { entries[$0] }.first { $0.isNamed(name) }
    }

    /// An item with everything below it.
    func subtree(_ identifier: String) -> [Entry] {
        var found: [Entry] = []
        var rest = [identifier]
        while let next = rest.popLast() {
            if let entry = entries[next] { found.append(entry) }
            rest += children[next, default: []]
        }
        return found
    }

    /// The answer that an operation had.
    ///
    /// - Throws: `invalidArgument` when the operation had other content.
    func answer(_ operation: ChangeOperation) throws -> TreeChange.Done? {
        guard let known = done[operation.identifier] else { return nil }
        guard known.digest == operation.digest else {
            throw FileProviderError(
                .invalidArgument, "The operation \(operation.identifier) was carried out with other content.")
        }
        return known
    }

    /// The changes after a sequence number, oldest first; nil when it is too old or never existed.
    func changes(after number: Int) -> [(sequence: Int, identifiers: [String])]? {
        guard number <= sequence else { return nil }
        if number == sequence { return [] }
        guard let first = history.first, first.sequence <= number + 1 else { return nil }
        return history.filter { $0.sequence > number }
    }

    /// One change that creates everything, for a new journal.
    var snapshot: TreeChange {
        TreeChange(
            entries: Array(entries.values), trashed: trash.isEmpty ? nil : Array(trash.values),
            earlier: earlier.isEmpty ? nil : earlier.values.flatMap { $0 }, sequence: sequence, serial: serial)
    }

    /// The operations that are recognised, oldest first.
    var recognised: [TreeChange.Done] { doneOrder.compactMap { done[$0] } }
}
