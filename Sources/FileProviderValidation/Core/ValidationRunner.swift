/// Runs cases one after another and collects the results.
package struct ValidationRunner: Sendable {
    /// How a case is run.
    package enum Manner: Sendable {
        /// In this process.
        case here(ProviderSubject, any ValidationTransport)
        /// Each in its own process.
        case apart(CaseProcess)
    }

    /// The settings of the run.
    package var options: ValidationOptions
    /// How each case is run.
    package var manner: Manner
    /// The command that repeats the case with that name, for people.
    package var repeating: @Sendable (String) -> String

    /// Creates a run.
    ///
    /// - Parameter repeating: the command that repeats the case with that name.
    package init(
        _ options: ValidationOptions, _ manner: Manner,
        repeating: @escaping @Sendable (String) -> String = { "filter ^\($0)$" }
    ) {
        self.options = options
        self.manner = manner
        self.repeating = repeating
    }

    /// Runs cases.
    ///
    /// - Parameters:
    ///   - cases: the cases in their order.
    ///   - provider: the provider's name in the report.
    ///   - progress: receives each case when it begins (without a result) and when it ends.
    /// - Returns: the report: of all cases, or of the first few when the provider does not even start.
    package func run(
        _ cases: [ValidationCase], provider: String, transport: String,
        progress: (ValidationCase, CaseResult?) -> Void = { _, _ in }
    ) async -> ValidationReport {
        var report = ValidationReport(
            provider: provider, transport: transport, level: options.level, seed: options.seed)
        let clock = ContinuousClock()
        let begin = clock.now
        for testCase in cases {
            if Task.isCancelled {
                report.interruption = "The run was interrupted."
                break
            }
            progress(testCase, nil)
            let result = await run(testCase)
            progress(testCase, result)
            report.add(result, repeating: result.isFailure ? repeating(result.name) : nil)
            if let message = Self.hopeless(report.results) {
                report.interruption = message
                break
            }
        }
        report.seconds = (clock.now - begin) / .seconds(1)
        // A filter may select only cases that do not apply; of all cases, at least one must apply.
        if options.filter == nil, let first = report.results.first,
            report.results.allSatisfy({ [.skipped, .notTried].contains($0.outcome) })
        {
            report.interruption =
                "Every case was skipped or not tried, so nothing is proven: \(first.reason ?? "no reason given")"
        }
        return report
    }

    private func run(_ testCase: ValidationCase) async -> CaseResult {
        switch manner {
        case .here(let subject, let transport):
            await CaseExecution(options, subject, transport).run(testCase)
        case .apart(let process):
            await process.run(testCase, options)
        }
    }

    /// Why continuing makes no sense: all results are failures to start.
    private static func hopeless(_ results: [CaseResult]) -> String? {
        let tried = results.filter { $0.outcome != .skipped && $0.outcome != .notTried }
        guard tried.count == 3 else { return nil }
        let starts = tried.compactMap { result in
            result.findings.first { finding in
                finding.did.hasPrefix("Starting the provider") || finding.did.hasPrefix("Initialize with")
                    || finding.did.hasPrefix("SignIn with the credential of the run")
            }
        }
        guard starts.count == tried.count, let first = starts.first else { return nil }
        return "The provider does not start, so no further case was tried. \(first.did): \(first.got)"
    }
}
