import ExtensionValidation
import FileProviderValidation
import Foundation
import Glibc

/// The process of one case, which reports events on descriptor 3.
struct CaseRun {
    private let options: ValidatorOptions
    private let name: String

    init(_ options: ValidatorOptions, _ name: String) {
        self.options = options
        self.name = name
    }

    func run() async throws {
        guard let testCase = CaseList.all.first(where: { $0.name == name }) else {
            throw ValidatorProblem("There is no case \(name).", "--list --level 10 shows all of them.", status: 64)
        }
        guard fcntl(Self.channel, F_GETFD) >= 0 else {
            throw ValidatorProblem(
                "No process receives the result.", "This is for docent-provider-validator itself.", status: 64)
        }
        _ = fcntl(Self.channel, F_SETFD, FD_CLOEXEC)
        if let place = ProcessInfo.processInfo.environment[Leftovers.variable] {
            Leftovers.note(try ServiceResumption(options.service, run: place))
        }
        OrphanWatch.begin(Self.channel)
        let reporter = CaseReporter(descriptor: Self.channel)
        let setup = try RunSetup(options)
        let behind = try await RunService.make(options, try setup.subject(options))
        let execution = CaseExecution(
            try options.validation(seed: options.seed ?? 1), behind.subject,
            try setup.transport(options.transport), service: behind.service
        ) { reporter.tell(.step($0)) }
        guard reporter.tell(.result(await execution.run(testCase))) else {
            // No parent is left, so this process has to clean up.
            Leftovers.remove()
            _exit(7)
        }
    }

    private static let channel: CInt = 3
}
