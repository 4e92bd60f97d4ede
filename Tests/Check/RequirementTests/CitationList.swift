import Foundation

/// Numbers of requirements with commas, semicolons, `and`, `to` or dashes between them, and nothing else.
struct CitationList {
    /// The numbers in order, without the names of documents and without those that only continue `law 3 and 4`.
    let members: [String]

    /// Nil if the text is no such list.
    init?(_ text: String) {
        var plain = text
        for name in ["SEMANTICS ", "MECHANISMS ", "DESIGN "] { plain = plain.replacing(name, with: "") }
        for separator in [" and ", " to ", ";", "–", "-"] { plain = plain.replacing(separator, with: ",") }
        let parts = plain.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let members = parts.filter { Int($0) == nil }
        guard !members.isEmpty, members.allSatisfy(Self.isNumber) else { return nil }
        self.members = members
    }

    /// The numbers at the beginning of a test's name, up to a colon; none if it begins with anything else.
    static func leading(_ name: String) -> [String] {
        guard let colon = name.firstIndex(of: ":") else { return [] }
        let start = String(name[..<colon])
        if Int(start) != nil { return [start] }
        return CitationList(start)?.members ?? []
    }

    /// Whether a text is a number of any form.
    static func isNumber(_ text: String) -> Bool {
        if isLettered(text) || isSection(text) { return true }
        let words = text.lowercased().split(separator: " ")
        if words.count > 2, isSection(String(words[0])) { return isNumber(words.dropFirst().joined(separator: " ")) }
        guard words.count == 2, Int(words[1]) != nil else { return false }
        return CitationScanner.words.contains { words[0] == $0 || words[0] == $0 + "s" }
    }

    /// `T4`, `A12`, `W0`.
    static func isLettered(_ text: String) -> Bool {
        guard let letter = text.utf8.first, letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "X") else {
            return false
        }
        let digits = text.utf8.dropFirst()
        guard (1...2).contains(digits.count), Int(text.dropFirst()) != nil else { return false }
        return digits.first != UInt8(ascii: "0") || text == "W0"
    }

    /// `2.10`, `7.4.1`.
    static func isSection(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count) && parts.allSatisfy { (1...2).contains($0.utf8.count) && Int($0) != nil }
            && ("2"..."9").contains(parts[0]) && parts[0].count == 1 && parts[1] != "0"
    }
}
