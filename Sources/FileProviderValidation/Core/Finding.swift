/// A misbehaviour of a provider.
public struct Finding: Sendable, Codable, Hashable, CustomStringConvertible {
    /// What the validator did.
    public var did: String
    /// What it expected.
    public var expected: String
    /// What happened instead.
    public var got: String
    /// The requirements that were not met, as sentences.
    public var requirement: String

    /// Creates a finding about one requirement.
    public init(did: String, expected: String, got: String, requirement: ProviderRequirement) {
        self.init(did: did, expected: expected, got: got, requirement: requirement.rawValue)
    }

    /// Creates a finding about a requirement in words.
    public init(did: String, expected: String, got: String, requirement: String) {
        self.did = did
        self.expected = expected
        self.got = got
        self.requirement = requirement
    }

    /// All four texts, one per line.
    public var description: String {
        "did:      \(did)\nexpected: \(expected)\ngot:      \(got)\nrequired: \(requirement)"
    }

    // A provider may send texts of any length.
    static let maximumLength = 4_000

    /// The same finding with every text cut to a length that fits a report.
    var bounded: Finding {
        func cut(_ text: String) -> String {
            text.utf8.count <= Self.maximumLength
                ? text : String(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self) + "…"
        }
        return Finding(did: cut(did), expected: cut(expected), got: cut(got), requirement: cut(requirement))
    }
}
