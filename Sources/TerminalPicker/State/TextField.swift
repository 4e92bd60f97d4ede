/// A line that a person types. Pure.
package struct TextField: Hashable, Sendable {
    /// The most letters.
    private static let longest = 1000

    private var before: [Character]
    private var after: [Character] = []

    package init(_ text: String = "") { before = Array(text) }

    package var text: String { String(before + after) }
    /// What is left of the cursor.
    package var textBeforeCursor: String { String(before) }

    /// Handles a key.
    ///
    /// - Returns: whether the key belongs to the line.
    mutating func take(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert([character])
        case .pasted(let text): insert(text.filter { !$0.isNewline })
        case .backspace: if !before.isEmpty { before.removeLast() }
        case .delete: if !after.isEmpty { after.removeFirst() }
        case .left: if let last = before.popLast() { after.insert(last, at: 0) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ([], before + after)
        case .end, .control("e"): (before, after) = (before + after, [])
        case .control("u"): before = []
        case .control("k"): after = []
        case .control("w"):
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " {
                before.removeLast()
                _ = last
            }
        default: return false
        }
        return true
    }

    private mutating func insert(_ characters: some Collection<Character>) {
        before += characters.prefix(max(0, Self.longest - before.count - after.count))
    }
}
