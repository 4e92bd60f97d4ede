/// Stable names for items whose identifiers are paths (``ValidationOptions/identifiersArePaths``): a case uses them
/// whatever the identifier is after a move. The name of an item that never moved is its identifier.
struct PathIdentifiers: Sendable {
    private struct Entry {
        var name: String
        var identifier: String
    }

    // Entries of moved items, and of items that took a path that was left.
    private var entries: [Entry] = []
    private var count = 0

    /// The provider's identifier of an item by its name in the case.
    func identifier(of name: String) -> String {
        guard let entry = longest(\.name, name) else { return name }
        return entry.identifier + Self.rest(name, after: entry.name)
    }

    /// The name of an item in the case.
    mutating func name(of identifier: String) -> String {
        if let entry = longest(\.identifier, identifier) {
            return entry.name + Self.rest(identifier, after: entry.identifier)
        }
        // Another item was here before and is still known by this path.
        guard longest(\.name, identifier) != nil else { return identifier }
        count += 1
        entries.append(Entry(name: "\(identifier) (\(count))", identifier: identifier))
        return "\(identifier) (\(count))"
    }

    /// Records that an item was moved with everything below it.
    mutating func move(_ name: String, from old: String, to new: String) {
        guard old != new else { return }
        for index in entries.indices where Self.isIn(old, entries[index].identifier) {
            entries[index].identifier = new + Self.rest(entries[index].identifier, after: old)
        }
        if !entries.contains(where: { $0.name == name }) { entries.append(Entry(name: name, identifier: new)) }
    }

    private func longest(_ key: KeyPath<Entry, String>, _ text: String) -> Entry? {
        entries.filter { Self.isIn($0[keyPath: key], text) }.max {
            $0[keyPath: key].utf8.count < $1[keyPath: key].utf8.count
        }
    }

    private static func rest(_ text: String, after place: String) -> String {
        String(decoding: text.utf8.dropFirst(place.utf8.count), as: UTF8.self)
    }

    private static func isIn(_ place: String, _ text: String) -> Bool {
        text.utf8.starts(with: place.utf8)
            && (text.utf8.count == place.utf8.count || text.utf8.dropFirst(place.utf8.count).first == UInt8(ascii: "/"))
    }
}
