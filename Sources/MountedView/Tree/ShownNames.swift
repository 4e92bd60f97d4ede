/// The names under which the items of a folder appear in the view: unique, and possible as file names. Pure.
package enum ShownNames {
    /// The longest file name, in bytes.
    package static let longest = 255

    /// The name of an item that no other item of its folder has.
    package static func name(of name: String, identifier: String) -> String {
        isPossible(name) ? name : marked(name, identifier)
    }

    /// The names of all items of a folder, in the order of the items. Of several with the same name, the one with the
    /// least identifier keeps it.
    package static func names(of items: [(name: String, identifier: String)]) -> [String] {
        var first: [EntryName: Int] = [:]
        var hasTwins = false
        for (index, item) in items.enumerated() {
            let name = EntryName(item.name)
            guard let other = first[name] else {
                first[name] = index
                continue
            }
            hasTwins = true
            if precedes(item.identifier, items[other].identifier) { first[name] = index }
        }
        guard hasTwins else { return items.map { name(of: $0.name, identifier: $0.identifier) } }
        return items.enumerated().map { index, item in
            first[EntryName(item.name)] == index
                ? name(of: item.name, identifier: item.identifier) : marked(item.name, item.identifier)
        }
    }

    /// Whether an item appears under its own name if it is the only one that has it.
    package static func isPossible(_ name: String) -> Bool {
        name != "." && name != ".." && !name.isEmpty && name.utf8.count <= longest
            && !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    }

    /// Whether a name has the form of one that was changed.
    package static func isMarked(_ shown: String) -> Bool { shown.utf8.contains(UInt8(ascii: "~")) && mark(in: shown) }

    private static func mark(in shown: String) -> Bool {
        shown.split(separator: "~", omittingEmptySubsequences: false).dropFirst().contains { part in
            let digits = part.prefix { $0.isHexDigit }
            return digits.utf8.count == 12
        }
    }

    // The identifier makes the name unique: Report~1a2b3c4d5e6f.odt.
    private static func marked(_ name: String, _ identifier: String) -> String {
        let clean = String(
            decoding: name.utf8.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
        let (stem, suffix) = split(clean)
        let number = StableNumber.of([identifier])
        let text = String(number, radix: 16)
        let mark = "~" + String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text.suffix(12)
        return shortened(stem, to: longest - mark.utf8.count - suffix.utf8.count) + mark + suffix
    }

    static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        let suffix = name[dot...]
        return suffix.utf8.count <= 32 ? (String(name[..<dot]), String(suffix)) : (name, "")
    }

    // Cut between characters.
    static func shortened(_ text: String, to count: Int) -> String {
        var result = text
        while result.utf8.count > count { result.removeLast() }
        return result
    }

    private static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }
}
