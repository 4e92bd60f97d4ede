package import Documents
import FoundationEssentials

/// The form in which the user's rules are stored.
extension DownloadPolicy {
    private struct Stored: Codable {
        struct Rule: Codable {
            var program: String?
            var unit: String?
            var downloads: DownloadRule.Downloads
        }

        var rules: [Rule]?
        var documentsPerMinute: StoredLimit?
    }

    private enum StoredLimit: Codable {
        case number(Int)
        case unlimited

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if try container.decode(String.self) == "none" {
                self = .unlimited
            } else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "It is neither a number nor \"none\".")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .unlimited: try container.encode("none")
            }
        }
    }

    /// Reads JSON. Unknown fields are ignored.
    ///
    /// - Throws: ``DocumentsError`` `failed`, with the reason: one bad rule makes all of it invalid, so that none is
    ///   overlooked.
    package init(json bytes: [UInt8]) throws(DocumentsError) {
        let stored: Stored
        do {
            stored = try JSONDecoder().decode(Stored.self, from: Data(bytes))
        } catch { throw DocumentsError(.failed, Self.reason(error)) }
        let rules = stored.rules ?? []
        guard rules.count <= Self.mostRules else {
            throw DocumentsError(.failed, "It has more than \(Self.mostRules) rules.")
        }
        self.init()
        for (index, rule) in rules.enumerated() {
            guard let subject = Self.subject(rule) else {
                throw DocumentsError(
                    .failed,
                    "Rule \(index + 1) must have either a \"program\" or a \"unit\", a name of 1 to "
                        + "\(ProgramPattern.longest) bytes.")
            }
            own.append(DownloadRule(subject, rule.downloads))
        }
        switch stored.documentsPerMinute {
        case .number(let number):
            guard Self.limits.contains(number) else {
                throw DocumentsError(
                    .failed,
                    "\"documentsPerMinute\" must be \"none\", or between \(Self.limits.lowerBound) and "
                        + "\(Self.limits.upperBound).")
            }
            documentsPerMinute = number
        case .unlimited: documentsPerMinute = nil
        case nil: break
        }
    }

    private static func subject(_ rule: Stored.Rule) -> DownloadRule.Subject? {
        switch (rule.program, rule.unit) {
        case (let program?, nil): ProgramPattern(program).map(DownloadRule.Subject.program)
        case (nil, let unit?): ProgramPattern(unit).map(DownloadRule.Subject.unit)
        default: nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\"\(place(context.codingPath + [key]))\" is missing."
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty: "It is not an object."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\"\(place(context.codingPath))\" is of another type."
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\"\(place(context.codingPath))\" has a value that it cannot have."
        default: "It is not valid JSON."
        }
    }

    private static func place(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { String($0 + 1) } ?? key.stringValue }.joined(separator: ".")
    }

    /// The user's rules as JSON, with a line feed at the end.
    package func json() throws -> [UInt8] {
        let rules = own.map { rule -> Stored.Rule in
            switch rule.subject {
            case .program(let pattern): Stored.Rule(program: pattern.text, downloads: rule.downloads)
            case .unit(let pattern): Stored.Rule(unit: pattern.text, downloads: rule.downloads)
            }
        }
        var limit: StoredLimit?
        if let documentsPerMinute {
            if documentsPerMinute != Self.standardLimit { limit = .number(documentsPerMinute) }
        } else {
            limit = .unlimited
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(Stored(rules: rules, documentsPerMinute: limit))) + [UInt8(ascii: "\n")]
    }
}
