/// How one case went.
public struct CaseResult: Sendable, Codable, Hashable {
    /// The ways in which a case can end.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// Nothing was found.
        case passed
        /// There are findings.
        case failed
        /// It does not apply; ``CaseResult/reason`` says why.
        case skipped
        /// Nobody gave what it needs to act on the service behind the provider; ``CaseResult/reason`` says what to
        /// give.
        case notTried
        /// Its process ended by itself before the case did.
        case crashed
        /// It did not end within its limit.
        case timedOut
    }

    /// Name of the case.
    public var name: String
    /// What the case expects, in one line.
    public var summary: String
    /// How it went.
    public var outcome: Outcome
    /// Misbehaviours, in the order in which they were found.
    public var findings: [Finding] = []
    /// Why it was skipped or not tried.
    public var reason: String?
    /// The last thing that was done, of a case that did not end well.
    public var lastStep: String?
    /// What is worth knowing although nothing is wrong.
    public var notes: [String] = []
    /// What was written to standard error meanwhile; the end of it.
    public var output: String?
    /// Seconds that it took.
    public var seconds = 0.0

    /// A result.
    public init(_ testCase: ValidationCase, _ outcome: Outcome) {
        name = testCase.name
        summary = testCase.summary
        self.outcome = outcome
    }

    /// Whether it speaks against the provider.
    public var isFailure: Bool { ![.passed, .skipped, .notTried].contains(outcome) }
}
