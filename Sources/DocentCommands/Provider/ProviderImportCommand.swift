import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import FoundationEssentials
import ProviderInstallation

struct ProviderImportCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Create a manifest from the files of an iOS extension.",
        discussion: """
            Takes what Docent reads from the Info.plist and the entitlements of a file provider or document picker \
            extension, expands build variables, and says what it changed and what it left out. The code must be built \
            with Docent's SDK. No existing file is overwritten. No daemon is needed.

            EXAMPLES
              docent provider import ~/src/Drive/FileProvider/Info.plist
              docent provider import Picker/Info.plist \\
                --identifier org.example.Drive.Picker --library libDrive.so
              docent provider import Info.plist --entitlements Drive.entitlements \\
                --define GROUP=group.org.example.Drive
            """)

    @Argument(
        help: "The Info.plist of the extension.", completion: .file(extensions: ["plist"]))
    var info: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Its file of entitlements; by default the one beside Info.plist.", valueName: "file"),
        completion: .file(extensions: ["entitlements", "plist"]))
    var entitlements: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Its bundle identifier, if the file has a build variable.", valueName: "id"))
    var identifier: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The library's file name; by default from the executable, the module or the provider.", valueName: "file"))
    var library: String?

    @Option(
        name: .customLong("define"),
        help: ArgumentHelp("The value of a build variable; may be repeated.", valueName: "name=value"))
    var definitions: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Where the manifest is written; manifests by default.", valueName: "path"),
        completion: .directory)
    var directory = "manifests"

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        for pair in definitions where pair.first == "=" || !pair.contains("=") {
            throw ValidationError("--define takes NAME=VALUE, not \"\(SafeText.escaped(pair))\".")
        }
    }

    func run() async throws {
        var options = ManifestImport.Options()
        options.identifier = identifier
        options.library = library
        for pair in definitions {
            guard let sign = pair.firstIndex(of: "=") else { continue }
            options.variables[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
        }
        let made: ManifestImport
        do {
            made = try ManifestImport(info: info, entitlements: entitlements, options)
        } catch {
            throw DocumentsError(.invalidArgument, error.message, suggestion: error.remedy)
        }
        let name = made.contents["CFBundleIdentifier"]?.stringValue ?? "manifest"
        let path = "\(directory)/\(name).plist"
        let environment = ManifestEnvironment(variables: ProcessInfo.processInfo.environment)
        let problems = made.problems(at: path, environment)
        guard !problems.containsError else {
            throw DocumentsError(
                .invalidArgument,
                "\(info) cannot be made into a usable manifest.\n"
                    + problems.map { ProblemText.text(Wire.Problem($0)) }.joined(),
                suggestion: "Correct the file, or give what is missing with --identifier, --library or --define.")
        }
        let place = try ProviderInitCommand.absolute(directory)
        guard !FileManager.default.fileExists(atPath: "\(place)/\(name).plist") else {
            throw DocumentsError(
                .conflict, "\(path) already exists.",
                suggestion: "Move it away first, or choose another place with --directory.")
        }
        try FileWork.makeDirectories(place, mode: 0o755)
        try FileWork.create("\(place)/\(name).plist", Array(PropertyListText.xml(.dictionary(made.contents)).utf8))
        try StandardOutput.write(
            format.json ? Self.record(made, path, problems).pretty : Self.text(made, path, problems))
    }

    private static func text(_ made: ManifestImport, _ path: String, _ problems: [ManifestProblem]) -> String {
        func section(_ title: String, _ lines: [String]) -> String {
            lines.isEmpty ? "" : "\(title):\n" + lines.map { "  \(SafeText.escaped($0))\n" }.joined()
        }
        let shown = SafeText.escaped(path)
        let library = made.contents["CFBundleExecutable"]?.stringValue ?? "its library"
        let source = made.entitlementsPath.map { "Entitlements are from \(SafeText.escaped($0)).\n" } ?? ""
        let read = problems.map { ProblemText.text(Wire.Problem($0)) }.joined()
        return "\(shown) was written.\n" + source + section("Changed or added", made.changes)
            + section("Left out", made.leftOut) + (read.isEmpty ? "" : "Notes:\n" + read)
            + "Next: build \(SafeText.escaped(library)) with Docent's SDK, then run\n"
            + "  docent provider validate \(shown)\n"
    }

    private static func record(
        _ made: ManifestImport, _ path: String, _ problems: [ManifestProblem]
    ) -> JSONValue {
        .object([
            "manifest": .string(path),
            "identifier": JSONValue(made.contents["CFBundleIdentifier"]?.stringValue),
            "entitlements": JSONValue(made.entitlementsPath),
            "changes": JSONValue(made.changes),
            "leftOut": JSONValue(made.leftOut),
            "problems": .array(problems.map { JSONValue(problem: Wire.Problem($0)) }),
        ])
    }
}
