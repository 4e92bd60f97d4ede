/// One way in which a provider misbehaved.
public struct Finding: Sendable, Codable, Hashable, CustomStringConvertible {
    /// What the validator did.
    public var did: String
    /// What it expected of it.
    public var expected: String
    /// What came back.
    public var got: String
    /// The requirements that were not met, in a sentence each.
    public var requirement: String

    /// A finding about one requirement.
    public init(did: String, expected: String, got: String, requirement: ProviderRequirement) {
        self.init(did: did, expected: expected, got: got, requirement: requirement.rawValue)
    }

    /// A finding about what a text says.
    public init(did: String, expected: String, got: String, requirement: String) {
        self.did = did
        self.expected = expected
        self.got = got
        self.requirement = requirement
    }

    /// All four, a line each.
    public var description: String {
        "did:      \(did)\nexpected: \(expected)\ngot:      \(got)\nrequired: \(requirement)"
    }

    // What comes from a provider is as long as it likes.
    static let maximumLength = 4_000

    /// The same with every text cut to a length that a report can hold.
    var bounded: Finding {
        func cut(_ text: String) -> String {
            text.utf8.count <= Self.maximumLength
                ? text : String(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self) + "…"
        }
        return Finding(did: cut(did), expected: cut(expected), got: cut(got), requirement: cut(requirement))
    }
}
