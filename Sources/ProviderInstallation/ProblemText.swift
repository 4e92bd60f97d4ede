import CommandConsole
package import DocentInterfaces
package import ExtensionManifest

/// Formats the problems of manifests for people.
package enum ProblemText {
    /// The severity and the message, then the key, what was found, what is expected, and the remedy.
    package static func text(_ problem: Wire.Problem) -> String {
        var lines = ["  \(problem.severity): \(problem.message)"]
        if !problem.key.isEmpty { lines.append("    key:      \(problem.key)") }
        if !problem.found.isEmpty { lines.append("    found:    \(problem.found)") }
        if !problem.expected.isEmpty { lines.append("    expected: \(problem.expected)") }
        if !problem.remedy.isEmpty { lines.append("    remedy:   \(problem.remedy)") }
        return lines.map { SafeText.escaped($0) + "\n" }.joined()
    }
}

extension Wire.Problem {
    /// Converts a problem that was found in this process.
    package init(_ problem: ManifestProblem) {
        self.init(
            severity: problem.severity.rawValue, key: problem.key, found: problem.found, expected: problem.expected,
            remedy: problem.remedy, message: problem.message)
    }
}
