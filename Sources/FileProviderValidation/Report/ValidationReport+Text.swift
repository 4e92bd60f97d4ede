extension ValidationReport {
    /// The report for people: every misbehaviour, why cases were skipped, the totals.
    ///
    /// Texts of the provider are escaped.
    public var text: String {
        var lines: [String] = []
        for result in results where result.isFailure { lines += Self.lines(of: result, repeating[result.name]) }
        for outcome in [CaseResult.Outcome.skipped, .notTried] {
            for (reason, names) in reasons(of: outcome) {
                lines.append("\(outcome.words): \(names.joined(separator: ", ")): \(reason)")
            }
        }
        for result in results {
            lines += result.notes.map { "note on \(result.name): \(PlainText.escaped($0))" }
        }
        if let interruption { lines.append(PlainText.escaped(interruption, limit: 8_000)) }
        lines.append(
            "\(PlainText.escaped(provider)), level \(level), \(transport), seed \(seed): \(totals) in "
                + "\((seconds * 10).rounded() / 10) s")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines about one failed case.
    public static func lines(of result: CaseResult, _ repeating: String? = nil) -> [String] {
        var lines = ["\(result.outcome.words.uppercased()): \(result.name): \(result.summary)"]
        if let reason = result.reason { lines.append("  " + PlainText.escaped(reason)) }
        let folded = folded(result.findings)
        for (finding, times) in folded.prefix(mostFindings) {
            for (label, text) in [
                ("did:      ", finding.did + (times > 1 ? " (\(times) times)" : "")), ("expected: ", finding.expected),
                ("got:      ", finding.got),
                ("required: ", finding.requirement),
            ] {
                lines.append((label.hasPrefix("did") ? "  - " : "    ") + label + PlainText.escaped(text))
            }
        }
        if folded.count > mostFindings {
            lines.append("    and \(folded.count - mostFindings) more findings, which --json has")
        }
        if let step = result.lastStep { lines.append("    last step: " + PlainText.escaped(step)) }
        if let output = result.output {
            lines.append("    standard error:")
            lines += PlainText.escaped(output, keepsLines: true).split(separator: "\n").suffix(12).map { "      " + $0 }
        }
        if let repeating { lines.append("    again: " + repeating) }
        return lines
    }

    /// One fault can cause a hundred findings: the text has the first few, JSON has all.
    private static let mostFindings = 8

    /// Each finding once, with its count, in the order of first appearance.
    private static func folded(_ findings: [Finding]) -> [(Finding, Int)] {
        var result: [(Finding, Int)] = []
        for finding in findings {
            if let index = result.firstIndex(where: { $0.0 == finding }) {
                result[index].1 += 1
            } else {
                result.append((finding, 1))
            }
        }
        return result
    }

    /// The reasons of the cases with an outcome, each with the case names, in the order of first appearance.
    private func reasons(of outcome: CaseResult.Outcome) -> [(String, [String])] {
        var skips: [(String, [String])] = []
        for result in results where result.outcome == outcome {
            let reason = PlainText.escaped(result.reason ?? "no reason given")
            if let index = skips.firstIndex(where: { $0.0 == reason }) {
                skips[index].1.append(result.name)
            } else {
                skips.append((reason, [result.name]))
            }
        }
        return skips
    }
}
