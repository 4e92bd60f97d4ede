import DocentTestSupport
import Foundation

/// docs/requirements.md, as it is read by the tests.
struct RequirementPage {
    /// One line of the page: a number and its sentence.
    struct Entry: Hashable {
        /// The heading of the second level above it.
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
        entries = text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") { part = String(line.dropFirst(3)) }
            guard line.hasPrefix("- **"), let end = line.firstRange(of: "** ") else { return nil }
            let number = line[line.index(line.startIndex, offsetBy: 4)..<end.lowerBound]
            return Entry(part: part, number: String(number), sentence: String(line[end.upperBound...]))
        }
    }

    /// All numbers.
    var numbers: Set<String> { Set(entries.map(\.number)) }
}
