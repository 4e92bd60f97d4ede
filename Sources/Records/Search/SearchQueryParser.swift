package import FoundationEssentials

/// Reads the query language of `docent find` (docs/find.md). Pure; it accepts every text, and its work grows only with
/// the length of the text.
///
/// Words that are separated by spaces must all be in the name. "Several words" in quotes must follow each other. A
/// minus excludes. `name:`, `type:`, `newer:`, `older:`, `larger:`, `smaller:` and `state:` begin conditions; any other
/// colon is part of a word.
package struct SearchQueryParser: Sendable {
    /// The longest text in bytes.
    package static let longestText = 4096
    /// The largest number of words and of conditions.
    package static let mostTerms = 32

    /// The query, and what could not be understood.
    package struct Outcome: Hashable, Sendable {
        package var query = SearchQuery()
        /// Sentences for the user; empty when everything was understood.
        package var problems: [String] = []
    }

    private let now: Double
    private var rest: Substring.UnicodeScalarView
    private var outcome = Outcome()
    private var count = 0

    /// Reads a text.
    ///
    /// - Parameter now: the present, for times like `7d`.
    package static func parse(_ text: String, now: Date) -> Outcome {
        guard text.utf8.count <= longestText else {
            return Outcome(problems: ["The query is longer than \(longestText) bytes."])
        }
        var parser = SearchQueryParser(text, now)
        while parser.takeTerm() {}
        return parser.outcome
    }

    private init(_ text: String, _ now: Date) {
        self.now = now.timeIntervalSince1970
        rest = text[...].unicodeScalars
    }

    private mutating func takeTerm() -> Bool {
        while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
        guard let first = rest.first else { return false }
        var isExcluded = false
        if first == "-", let second = rest.dropFirst().first, !second.properties.isWhitespace {
            isExcluded = true
            rest.removeFirst()
        }
        let key = takeKey()
        let value = takeValue()
        count += 1
        if count == Self.mostTerms + 1 {
            outcome.problems.append("The query has more than \(Self.mostTerms) words and conditions.")
        }
        if count <= Self.mostTerms { add(key, value, isExcluded) }
        return true
    }

    private enum Key: String, CaseIterable {
        case name, type, newer, older, larger, smaller, state
    }

    private mutating func takeKey() -> Key? {
        for key in Key.allCases {
            let name = key.rawValue.unicodeScalars
            guard rest.count(upTo: name.count + 1) == name.count + 1,
                rest.prefix(name.count).elementsEqual(name, by: { $0.properties.lowercaseMapping == String($1) }),
                rest.dropFirst(name.count).first == ":"
            else { continue }
            rest.removeFirst(name.count + 1)
            return key
        }
        return nil
    }

    private mutating func takeValue() -> String {
        var value = String.UnicodeScalarView()
        guard rest.first == "\"" else {
            while let next = rest.first, !next.properties.isWhitespace {
                value.append(next)
                rest.removeFirst()
            }
            return String(value)
        }
        rest.removeFirst()
        while let next = rest.popFirst(), next != "\"" {
            // A backslash takes the meaning from a quotation mark, and from itself.
            if next == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
                value.append(escaped)
                rest.removeFirst()
            } else {
                value.append(next)
            }
        }
        return String(value)
    }

    private mutating func add(_ key: Key?, _ value: String, _ isExcluded: Bool) {
        switch key {
        case nil, .name:
            let text = NameFolding.fold(value)
            guard !text.isEmpty else { return }
            outcome.query.words.append(.init(text, isExcluded: isExcluded, isInName: key == .name))
        case .type:
            guard Self.isType(value) else {
                return problem("\"\(value)\" is not a type identifier, like public.image.")
            }
            outcome.query.types.append(.init(value, isExcluded: isExcluded))
        case .state:
            guard let state = SearchQuery.State(rawValue: value) else {
                let known = SearchQuery.State.allCases.map(\.rawValue).joined(separator: ", ")
                return problem("\"\(value)\" is not a state; there are \(known).")
            }
            outcome.query.states.append(.init(state, isExcluded: isExcluded))
        case .newer, .older:
            guard let moment = SearchMoment.parse(value, now: now) else {
                return problem("\"\(value)\" is not a time, like 2024-05-31, 2024, or 7d for a week ago.")
            }
            if (key == .newer) != isExcluded {
                outcome.query.newest = max(outcome.query.newest ?? -.infinity, moment)
            } else {
                outcome.query.oldest = min(outcome.query.oldest ?? .infinity, moment)
            }
        case .larger, .smaller:
            guard let size = SearchSize.parse(value) else {
                return problem("\"\(value)\" is not a size, like 500k or 10MB.")
            }
            if (key == .larger) != isExcluded {
                outcome.query.smallest = max(outcome.query.smallest ?? 0, size)
            } else {
                outcome.query.largest = min(outcome.query.largest ?? .max, size)
            }
        }
    }

    private mutating func problem(_ text: String) { outcome.problems.append(text) }

    private static func isType(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension Substring.UnicodeScalarView {
    // The number of scalars, but at most so many: the rest of the text is not looked at.
    fileprivate func count(upTo most: Int) -> Int { prefix(most).count }
}
