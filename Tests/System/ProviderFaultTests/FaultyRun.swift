import DocentTestSupport
import Faulty
import FileProviderValidation
import Foundation

/// Runs cases with the provider `Plugins/Faulty`, in this process or in its own.
struct FaultyRun: Sendable {
    var subject = Fault.Subject.full
    var script = ""
    var settings: [String: String] = [:]
    /// Required by faults that end or damage a process.
    var isApart = false
    var callDeadline = 15.0
    var caseLimit = 60.0
    /// Whether its service program is used.
    var hasService = false
    var seed: UInt64 = 1
    var level = 10

    private var transport: any ValidationTransport {
        guard isApart else { return WireTransport.inProcess }
        return WireTransport.spawned(
            Installation.binaries + "/loader-probe", arguments: [Installation.binaries + "/libFaulty.so"],
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"])
    }

    func run(_ testCase: ValidationCase) async -> CaseResult {
        var options = ValidationOptions()
        options.level = level
        options.seed = seed
        options.callDeadline = callDeadline
        options.caseLimit = caseLimit
        var settings = settings
        if !script.isEmpty { settings["faults"] = script }
        let provider = ProviderSubject(
            identifier: "org.docent.Faulty.FileProvider", principalClass: subject.rawValue, displayName: "Faulty",
            settings: settings,
            credential: [.full, .trash].contains(subject) ? .init(username: "tester", secret: "open sesame") : nil)
        let service =
            hasService
            ? TestedService(
                program: ServiceProgram(
                    command: "'\(Repository.root)/Plugins/Faulty/service.sh'", environment: ["PATH": "/usr/bin:/bin"]),
                variables: provider.serviceVariables) : nil
        return await CaseExecution(options, provider, transport, service: service).run(testCase)
    }
}
