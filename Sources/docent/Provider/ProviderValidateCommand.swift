import ArgumentParser
import DocentInterfaces
import ExtensionManifest
import FoundationEssentials

/// `docent provider validate`.
struct ProviderValidateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check manifests, without a daemon and without loading any code.",
        discussion: """
            Ends with 1 when a manifest cannot be used.

            EXAMPLES
              docent provider validate manifests/org.example.Cloud.plist
              docent provider validate --json *.plist
            """)

    @Argument(help: "Manifest files.", completion: .file(extensions: ["plist", "json"]))
    var manifest: [String]

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ManifestEnvironment(variables: ProcessInfo.processInfo.environment)
        let reports = ManifestDiscovery(reader: ManifestReader(environment: environment)).check(files: manifest)
        try StandardOutput.write(
            format.json ? JSONValue.array(reports.map(Self.record)).pretty : reports.map(Self.text).joined())
        if reports.contains(where: { !Self.isUsable($0) }) { throw SilentExit(status: .failed) }
    }

    private static func isUsable(_ report: ManifestReport) -> Bool {
        report.manifest != nil && !report.problems.containsError
    }

    private static func text(_ report: ManifestReport) -> String {
        let verdict = isUsable(report) ? "can be used" : "cannot be used"
        return "\(SafeText.escaped(report.path)): \(verdict)\n"
            + report.problems.map { ProblemText.text(Wire.Problem($0)) }.joined()
    }

    private static func record(_ report: ManifestReport) -> JSONValue {
        .object([
            "manifest": .string(report.path),
            "identifier": JSONValue(report.bundleIdentifier),
            "usable": .bool(isUsable(report)),
            "problems": .array(report.problems.map { JSONValue(problem: Wire.Problem($0)) }),
        ])
    }
}
