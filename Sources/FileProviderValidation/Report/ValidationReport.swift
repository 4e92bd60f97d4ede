/// What a run found out about a provider.
public struct ValidationReport: Sendable, Codable, Hashable {
    /// Identifier of the provider.
    public var provider: String
    /// The way to it.
    public var transport: String
    /// The level of the run.
    public var level: Int
    /// The seed of the run.
    public var seed: UInt64
    /// The cases in the order in which they ran.
    public var results: [CaseResult] = []
    /// How to repeat a case that failed, by its name.
    public var repeating: [String: String] = [:]
    /// Why there are not the results of all cases.
    public var interruption: String?
    /// Seconds that the run took.
    public var seconds = 0.0

    /// A report without results.
    public init(provider: String, transport: String, level: Int, seed: UInt64) {
        self.provider = provider
        self.transport = transport
        self.level = level
        self.seed = seed
    }

    /// Adds a result.
    ///
    /// - Parameters:
    ///   - result: how a case went.
    ///   - repeating: how to repeat its case.
    public mutating func add(_ result: CaseResult, repeating: String? = nil) {
        results.append(result)
        if let repeating { self.repeating[result.name] = repeating }
    }

    /// How many cases ended so.
    public func count(_ outcome: CaseResult.Outcome) -> Int { results.count { $0.outcome == outcome } }

    /// Whether nothing speaks against the provider, and the run came to its end.
    public var isPassed: Bool { interruption == nil && !results.contains(where: \.isFailure) }

    /// The figures in one line.
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
    /// For people.
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
