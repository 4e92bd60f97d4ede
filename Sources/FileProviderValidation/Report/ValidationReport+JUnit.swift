extension ValidationReport {
    /// The report in the JUnit format that build servers read: a suite for each group of cases, XML 1.0 in UTF-8.
    public var junit: String {
        var groups: [(name: String, results: [CaseResult])] = []
        for result in results {
            let group = String(result.name.prefix { $0 != "." })
            if let index = groups.firstIndex(where: { $0.name == group }) {
                groups[index].results.append(result)
            } else {
                groups.append((group, [result]))
            }
        }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(
            "<testsuites name=\(Self.value("docent provider validate " + provider)) \(Self.counts(results)) "
                + "time=\(Self.value(Self.time(seconds)))>")
        for group in groups {
            let time = group.results.reduce(0) { $0 + $1.seconds }
            lines.append(
                "  <testsuite name=\(Self.value(group.name)) \(Self.counts(group.results)) "
                    + "time=\(Self.value(Self.time(time)))>")
            lines += group.results.flatMap { testCase($0, group.name) }
            lines.append("  </testsuite>")
        }
        if let interruption {
            lines.append(#"  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0" time="0">"#)
            lines.append(
                "    <testcase classname=\"run\" name=\"complete\" time=\"0\">"
                    + "<error message=\(Self.value(interruption))/></testcase>")
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func testCase(_ result: CaseResult, _ group: String) -> [String] {
        let start =
            "    <testcase classname=\(Self.value(provider + "." + group)) name=\(Self.value(result.name)) "
            + "time=\(Self.value(Self.time(result.seconds)))"
        switch result.outcome {
        case .passed: return [start + "/>"]
        case .skipped, .notTried:
            let reason = result.reason ?? "no reason given"
            let message = result.outcome == .notTried ? "not tried: " + reason : reason
            return [start + "><skipped message=\(Self.value(message))/></testcase>"]
        case .failed, .crashed, .timedOut:
            let element = result.outcome == .failed ? "failure" : "error"
            let message =
                result.reason ?? result.findings.first.map { "\($0.did): \($0.got)" } ?? result.outcome.words
            let text = Self.lines(of: result, repeating[result.name]).joined(separator: "\n")
            return [
                start + ">",
                "      <\(element) type=\(Self.value(result.outcome.rawValue)) message=\(Self.value(message))>"
                    + "\(Self.escaped(text))</\(element)>",
                "    </testcase>",
            ]
        }
    }

    private static func counts(_ results: [CaseResult]) -> String {
        let failures = results.count { $0.outcome == .failed }
        let errors = results.count { $0.outcome == .crashed || $0.outcome == .timedOut }
        let skipped = results.count { $0.outcome == .skipped || $0.outcome == .notTried }
        return #"tests="\#(results.count)" failures="\#(failures)" errors="\#(errors)" skipped="\#(skipped)""#
    }

    private static func time(_ seconds: Double) -> String {
        seconds.isFinite ? "\((seconds * 1_000).rounded() / 1_000)" : "0"
    }

    private static func value(_ text: String) -> String { "\"" + escaped(text, isAttribute: true) + "\"" }

    // XML 1.0 cannot carry most control characters, not even as references.
    private static func escaped(_ text: String, isAttribute: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result += isAttribute ? (scalar == "\n" ? "&#10;" : "&#9;") : String(scalar)
            case "\r": result += "&#13;"
            default:
                let isAllowed =
                    (scalar.value >= 0x20 && scalar.value <= 0xD7FF) || (0xE000...0xFFFD).contains(scalar.value)
                    || scalar.value >= 0x10000
                result += isAllowed ? String(scalar) : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return result
    }
}
