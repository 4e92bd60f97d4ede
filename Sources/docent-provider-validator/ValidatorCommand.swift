import ArgumentParser
import ExtensionManifest
import ExtensionValidation
import FileProviderValidation
import Foundation
import Glibc

/// Runs the cases of `docent provider validate`, which finds this program and passes its arguments on.
@main
struct ValidatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docent-provider-validator",
        abstract: "Validates a document provider; `docent provider validate` starts it.")

    @OptionGroup var options: ValidatorOptions

    @Flag(name: .long, help: "List the cases instead of running them.")
    var list = false

    @Flag(name: .long, help: "Answer in JSON; docs/json.md describes it.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("Also write the report in JUnit format to this file.", valueName: "file"))
    var junit: String?

    @Flag(name: .long, help: "Show no progress. It is never shown if standard error is not a terminal.")
    var noProgress = false

    @Option(name: .customLong("case"), help: ArgumentHelp("Run this case in this process.", visibility: .private))
    var oneCase: String?

    @Flag(help: ArgumentHelp("Remove what a run left once it has ended.", visibility: .private))
    var tidy = false

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            if tidy { return try TidyHelper.run(service: options.service) }
            if let oneCase { return try await CaseRun(options, oneCase).run() }
            let cases = try CaseList.selected(options, all: list)
            if list { return Self.write(json ? CaseList.json(cases) : CaseList.text(cases)) }
            let format = WholeRun.Format(isJSON: json, junit: junit, isQuiet: noProgress)
            try await WholeRun(options, cases, program: CommandLine.ownProgram, format: format).run()
        } catch let problem as ValidatorProblem {
            Self.complain(problem)
            throw ExitCode(problem.status)
        } catch let problem as ProviderBundle.Failure {
            Self.complain(ValidatorProblem(problem.message, problem.remedy, status: 2))
            throw ExitCode(2)
        }
    }

    /// Writes to standard output, as long as it has a reader.
    static func write(_ text: String) { FileDescriptorText.write(text, to: STDOUT_FILENO) }

    private static func complain(_ problem: ValidatorProblem) {
        let hint = problem.remedy.isEmpty ? "" : "  hint: \(PlainText.escaped(problem.remedy))\n"
        FileDescriptorText.write("docent: \(PlainText.escaped(problem.message))\n" + hint, to: STDERR_FILENO)
    }
}

extension CommandLine {
    /// The path of this program.
    static var ownProgram: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? arguments.first ?? ""
    }
}
