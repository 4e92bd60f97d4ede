import ArgumentParser
import CommandConsole
import Documents
import ExtensionManifest
import FoundationEssentials

struct ProviderValidateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check a provider: its manifests, and its behaviour.",
        discussion: """
            Reads the manifests, then runs cases against the provider, each in a process of its own. The provider must \
            do what it declares, correctly. With several manifests, level 0 or --manifest-only no code is loaded.

            The run touches no files of yours except what --setting and --folder name. No daemon is needed. Exits with \
            1 when anything failed. Only with --proxy and --service does the run test a provider whose service fails, \
            and whose documents others change; docs/providers/validator.md describes both.

            EXAMPLES
              docent provider validate .build/debug
              docent provider validate LocalFolder --level 10 --json
              docent provider validate WebDAV --setting url=http://127.0.0.1:8080/ \\
                --transport daemon
              docent provider validate WebDAV --setting url=http://127.0.0.1:8080/ \\
                --proxy --latency 30 --service webdav
              docent provider validate LocalFolder --service directory
              docent provider validate .build/debug --filter '^reading' --seed 7
              docent provider validate --manifest-only *.plist
              docent provider validate --list --level 10
            """)

    @Argument(
        help: "A directory with a library and manifests, a library, manifests, or an installed provider.",
        completion: .file(extensions: ["plist", "json", "so"]))
    var target: [String] = []

    @OptionGroup var selection: ValidationSelection
    @OptionGroup var domain: ValidationDomain
    @OptionGroup var service: ValidationService

    @Flag(name: .long, help: "Read the manifests and load no code.")
    var manifestOnly = false

    @Flag(name: .long, help: "List the cases instead of running them.")
    var list = false

    @Option(
        name: .long, help: ArgumentHelp("Also write the report in JUnit format to this file.", valueName: "file"),
        completion: .file())
    var junit: String?

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !target.isEmpty || list else {
            throw ValidationError("Name a provider: a directory, a manifest or an identifier.")
        }
        guard (0...10).contains(selection.level) else { throw ValidationError("The level must be between 0 and 10.") }
        for setting in domain.settings where setting.first == "=" || !setting.contains("=") {
            throw ValidationError("--setting takes KEY=VALUE, not \"\(SafeText.escaped(setting))\".")
        }
    }

    func run() async throws {
        let isStatic = manifestOnly || selection.level == 0 || target.count > 1
        if !list, isStatic || !format.json && junit == nil {
            let manifests = try ManifestCheck(target)
            if isStatic || !manifests.isUsable {
                return try manifests.finish(isJSON: format.json)
            }
            try StandardOutput.write(manifests.text)
        }
        try ValidatorProgram.become(arguments)
    }

    /// The arguments for docent-provider-validator.
    private var arguments: [String] {
        var result = target + selection.arguments + domain.arguments + service.arguments
        if let junit { result += ["--junit", junit] }
        if list { result.append("--list") }
        if format.json { result.append("--json") }
        if progress.noProgress { result.append("--no-progress") }
        return result
    }
}
