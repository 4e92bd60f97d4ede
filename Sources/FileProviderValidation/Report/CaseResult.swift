/// The result of one case.
public struct CaseResult: Sendable, Codable, Hashable {
    /// How a case can end.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// There are no findings.
        case passed
        /// There are findings.
        case failed
        /// It does not apply; ``CaseResult/reason`` says why.
        case skipped
        /// Something is missing that it needs to act on the service behind the provider; ``CaseResult/reason`` says
        /// what.
        case notTried
        /// Its process ended before the case did.
        case crashed
        /// It exceeded its time limit.
        case timedOut
    }

    /// The name of the case.
    public var name: String
    /// What the case expects, in one line.
    public var summary: String
    /// How it ended.
    public var outcome: Outcome
    /// The misbehaviours, in the order in which they were found.
    public var findings: [Finding] = []
    /// Why it was skipped or not tried.
    public var reason: String?
    /// The last step, if the case did not end normally.
    public var lastStep: String?
    /// Remarks that are not findings.
    public var notes: [String] = []
    /// The end of what was written to standard error meanwhile.
    public var output: String?
    /// How long it took, in seconds.
    public var seconds = 0.0

    /// Creates a result.
    public init(_ testCase: ValidationCase, _ outcome: Outcome) {
        name = testCase.name
        summary = testCase.summary
        self.outcome = outcome
    }

    /// Whether it counts against the provider.
    public var isFailure: Bool { ![.passed, .skipped, .notTried].contains(outcome) }
}
