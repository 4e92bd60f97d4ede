import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import FoundationEssentials
import ProviderInstallation

/// What manifests show by themselves, without any code.
struct ManifestCheck {
    private let reports: [ManifestReport]

    /// Reads the manifests of all targets.
    ///
    /// - Throws: ``DocumentsError`` `notFound` if a target has none.
    init(_ targets: [String]) throws(DocumentsError) {
        let variables = ProcessInfo.processInfo.environment
        var reports: [ManifestReport] = []
        var files: [String] = []
        for target in targets {
            // A file that does not exist is reported as a manifest that cannot be read.
            guard !target.hasSuffix(".plist"), !target.hasSuffix(".json") else {
                files.append(target)
                continue
            }
            do {
                reports += try ProviderBundle(target, variables: variables).manifests
            } catch {
                throw DocumentsError(.notFound, error.message, suggestion: error.remedy)
            }
        }
        let environment = ManifestEnvironment(
            variables: files.count == 1 ? Self.variables(for: files[0], variables) : variables)
        reports += ManifestDiscovery(reader: ManifestReader(environment: environment)).check(files: files)
        self.reports = reports
    }

    // The library of a manifest is also searched for in the build directories, as when the provider is run.
    private static func variables(for file: String, _ variables: [String: String]) -> [String: String] {
        (try? ProviderBundle(file, variables: variables))?.variables ?? variables
    }

    /// Whether at least one manifest can be used, and none has an error.
    var isUsable: Bool {
        reports.contains(where: Self.isUsable) && reports.allSatisfy { Self.isUsable($0) || Self.isIgnored($0) }
    }

    /// One verdict per manifest, with its problems.
    var text: String {
        reports.map { report in
            let verdict =
                Self.isUsable(report) ? "can be used" : Self.isIgnored(report) ? "is ignored" : "cannot be used"
            return "\(SafeText.escaped(report.path)): \(verdict)\n"
                + report.problems.map { ProblemText.text(Wire.Problem($0)) }.joined()
        }.joined()
    }

    /// Prints the report.
    ///
    /// - Throws: ``SilentExit`` if a manifest has an error, or none can be used.
    func finish(isJSON: Bool) throws {
        try StandardOutput.write(isJSON ? JSONValue.array(reports.map(Self.record)).pretty : text)
        if !isUsable { throw SilentExit(status: .failed) }
    }

    private static func isUsable(_ report: ManifestReport) -> Bool {
        report.manifest != nil && !report.problems.containsError
    }

    // A manifest of a known extension point that has no counterpart here.
    private static func isIgnored(_ report: ManifestReport) -> Bool {
        report.manifest == nil && !report.problems.containsError
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
