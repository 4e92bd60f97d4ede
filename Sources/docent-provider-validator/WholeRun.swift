import ArgumentParser
import ExtensionManifest
import ExtensionValidation
import FileProviderValidation
import Foundation
import Glibc

/// A whole run: the manifests, then every case in its own process, then the report.
struct WholeRun {
    /// The format of the report.
    struct Format {
        var isJSON: Bool
        var junit: String?
        var isQuiet: Bool
    }

    private let options: ValidatorOptions
    private let cases: [ValidationCase]
    private let program: String
    private let format: Format

    init(_ options: ValidatorOptions, _ cases: [ValidationCase], program: String, format: Format) {
        self.options = options
        self.cases = cases
        self.program = program
        self.format = format
    }

    func run() async throws {
        RunInterruption.watch()
        let setup = try RunSetup(options)
        let seed = options.seed ?? UInt64.random(in: 1...999_999)
        let validation = try options.validation(seed: seed)
        _ = try setup.subject(options)
        try requireWritable()
        let manifests = ManifestResults.results(of: setup.bundle) + LibraryResults.results(of: setup.description)
        let identifier = setup.description?.identifier ?? options.target ?? ""
        var report = ValidationReport(
            provider: identifier, transport: options.transport.rawValue, level: options.level, seed: seed)
        if manifests.contains(where: \.isFailure) || setup.description?.fileProvider == nil {
            report.interruption =
                setup.description != nil && setup.description?.fileProvider == nil
                ? "It has no file provider extension, so there is nothing to run."
                : "Its manifests or its library cannot be used, so no case was run."
        } else {
            _ = try setup.transport(options.transport)
            // A problem with the service is reported once here, instead of by every case.
            try await RunService.make(options, try setup.subject(options)).service?.proxy?.end()
            announce(setup)
            report = try await cases(validation, identifier)
        }
        report.results = manifests + report.results
        try tell(report)
        guard report.isPassed else { throw ExitCode(1) }
    }

    private func cases(_ validation: ValidationOptions, _ identifier: String) async throws -> ValidationReport {
        let place = try ShortDirectory.make()
        guard let tree = OwnTree(path: place) else {
            throw ValidatorProblem(
                "The new directory \(place) cannot be opened: \(String(cString: strerror(errno))).",
                "Close some programs.", status: 1)
        }
        Leftovers.note(tree)
        TidyHelper.start(program, for: tree, service: options.service)
        Leftovers.note(try ServiceResumption(options.service, run: place))
        defer { Leftovers.remove() }
        var environment = ProcessInfo.processInfo.environment
        environment[Leftovers.formerTemporary] = environment["TMPDIR"]
        environment["TMPDIR"] = place
        environment[Leftovers.variable] = place
        let options = options
        var process = CaseProcess(program: program, environment: environment) { testCase in
            options.arguments(seed: validation.seed) + ["--case", testCase.name]
        }
        process.tidy = Leftovers.tidy
        let runner = ValidationRunner(validation, .apart(process)) { name in
            Self.again(options, name, validation.seed)
        }
        let progress = RunProgress(cases.count, isShown: !format.isQuiet && isatty(STDERR_FILENO) == 1)
        defer { progress.clear() }
        return await runner.run(cases, provider: identifier, transport: options.transport.rawValue) {
            testCase, result in
            progress.note(testCase, result)
        }
    }

    // The command that repeats one case.
    private static func again(_ options: ValidatorOptions, _ name: String, _ seed: UInt64) -> String {
        var one = options
        one.level = 10
        one.filter = "^" + name.replacingOccurrences(of: ".", with: "\\.") + "$"
        return (["docent", "provider", "validate"] + one.arguments(seed: seed)).map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:@%+,")
        return !word.isEmpty && word.unicodeScalars.allSatisfy(plain.contains)
            ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    private func announce(_ setup: RunSetup) {
        let requests = setup.requests
        guard !requests.isEmpty else { return }
        let lines = requests.map { "  \(PlainText.escaped($0))\n" }.joined()
        let home =
            options.home.map {
                "The parts of its home that it may use are copied from \(PlainText.escaped($0)) for each case."
            }
            ?? (setup.asksForHome
                ? "Its home is a directory of the run, in which all of that is empty; --home gives it other content."
                : "Its home is an empty directory during the run.")
        FileDescriptorText.write(
            "For this run the provider is allowed what its manifest asks for:\n\(lines)\(home)\n", to: STDERR_FILENO)
    }

    /// Checks that the report can be written before a run of several minutes begins.
    private func requireWritable() throws(ValidatorProblem) {
        guard let junit = format.junit else { return }
        let folder = URL(fileURLWithPath: junit).deletingLastPathComponent().path
        var facts = stat()
        let isThere = stat(junit, &facts) == 0
        guard isThere ? facts.st_mode & S_IFMT != S_IFDIR && access(junit, W_OK) == 0 : access(folder, W_OK | X_OK) == 0
        else {
            throw ValidatorProblem(
                "The report cannot be written to \(junit): \(String(cString: strerror(isThere ? EACCES : errno))).",
                "Give --junit a file in a directory of yours.", status: 1)
        }
    }

    private func tell(_ report: ValidationReport) throws(ValidatorProblem) {
        ValidatorCommand.write(format.isJSON ? report.json + "\n" : report.text)
        guard let junit = format.junit else { return }
        do {
            try Data(report.junit.utf8).write(to: URL(fileURLWithPath: junit))
        } catch {
            throw ValidatorProblem(
                "The report cannot be written to \(junit): \(error.localizedDescription)", "", status: 1)
        }
    }
}
