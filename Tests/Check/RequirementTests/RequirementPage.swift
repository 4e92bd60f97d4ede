import DocentTestSupport
import Foundation

/// docs/requirements.md, as the tests read it.
struct RequirementPage {
    /// One entry of the page: a number and its sentence.
    struct Entry: Hashable {
        /// The second-level heading above it.
        var part: String
        var number: String
        var sentence: String
    }

    static let path = "docs/requirements.md"

    let entries: [Entry]

    /// The page of this tree.
    init() throws {
        self.init(try String(contentsOfFile: Repository.root + "/" + Self.path, encoding: .utf8))
    }

    /// A page with this text.
    init(_ text: String) {
        var part = ""
        var entries: [Entry] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { part = String(line.dropFirst(3)) }
            if line.hasPrefix("- **"), let end = line.firstRange(of: "** ") {
                let number = line[line.index(line.startIndex, offsetBy: 4)..<end.lowerBound]
                entries.append(Entry(part: part, number: String(number), sentence: String(line[end.upperBound...])))
            } else if line.hasPrefix("  "), !entries.isEmpty {
                // The sentence is wrapped.
                entries[entries.count - 1].sentence += " " + line.trimmingCharacters(in: .whitespaces)
            }
        }
        self.entries = entries
    }

    /// All numbers.
    var numbers: Set<String> { Set(entries.map(\.number)) }
}
