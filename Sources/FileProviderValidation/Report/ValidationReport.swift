/// The results of a run.
public struct ValidationReport: Sendable, Codable, Hashable {
    /// The identifier of the provider.
    public var provider: String
    /// The transport.
    public var transport: String
    /// The level of the run.
    public var level: Int
    /// The seed of the run.
    public var seed: UInt64
    /// The cases in the order in which they ran.
    public var results: [CaseResult] = []
    /// The commands that repeat failed cases, by case name.
    public var repeating: [String: String] = [:]
    /// Why results are missing; nil if there are results of all cases.
    public var interruption: String?
    /// How long the run took, in seconds.
    public var seconds = 0.0

    /// Creates a report without results.
    public init(provider: String, transport: String, level: Int, seed: UInt64) {
        self.provider = provider
        self.transport = transport
        self.level = level
        self.seed = seed
    }

    /// Adds a result.
    ///
    /// - Parameters:
    ///   - result: the result of a case.
    ///   - repeating: the command that repeats its case.
    public mutating func add(_ result: CaseResult, repeating: String? = nil) {
        results.append(result)
        if let repeating { self.repeating[result.name] = repeating }
    }

    /// How many cases have an outcome.
    public func count(_ outcome: CaseResult.Outcome) -> Int { results.count { $0.outcome == outcome } }

    /// Whether nothing counts against the provider, and the run was completed.
    public var isPassed: Bool { interruption == nil && !results.contains(where: \.isFailure) }

    /// The totals in one line.
    public var totals: String {
        let parts = CaseResult.Outcome.allCases.compactMap { outcome -> String? in
            let count = count(outcome)
            guard count > 0 || outcome == .passed else { return nil }
            return "\(count) \(outcome.words)"
        }
        return parts.joined(separator: ", ")
    }
}

extension CaseResult.Outcome {
    /// The outcome in words.
    var words: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        case .notTried: "not tried"
        case .crashed: "crashed"
        case .timedOut: "timed out"
        }
    }
}
