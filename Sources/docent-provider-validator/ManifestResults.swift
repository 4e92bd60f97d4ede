import ExtensionManifest
import FileProviderValidation

/// Checks of the manifests, as the first group of a report.
enum ManifestResults {
    /// A result for each manifest. Errors become findings, everything else becomes notes.
    static func results(of bundle: ProviderBundle) -> [CaseResult] {
        bundle.manifests.map { report in
            let name = report.bundleIdentifier ?? report.path.split(separator: "/").last.map(String.init) ?? report.path
            let testCase = ValidationCase(
                "manifest." + name, level: 1, requirements: [.manifest], "The manifest \(report.path) can be used."
            ) { _ in }
            var result = CaseResult(testCase, report.problems.containsError ? .failed : .passed)
            if report.manifest == nil, !report.problems.containsError {
                result.outcome = .skipped
                result.reason = report.problems.first?.message ?? "it is ignored"
            }
            for problem in report.problems {
                guard problem.severity == .error else {
                    result.notes.append(
                        "\(problem.severity.rawValue): \(report.path): \(problem.message) \(problem.remedy)")
                    continue
                }
                result.findings.append(
                    Finding(
                        did: "Reading \(problem.file ?? report.path)"
                            + (problem.key.isEmpty ? "" : ", key \(problem.key)"),
                        expected: problem.expected.isEmpty ? problem.remedy : problem.expected,
                        got: problem.found.isEmpty ? problem.message : "\(problem.found): \(problem.message)",
                        requirement: .manifest))
            }
            return result
        }
    }
}
