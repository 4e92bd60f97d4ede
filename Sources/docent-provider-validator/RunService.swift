import DocentInterfaces
import FileProviderValidation
import Foundation
import Glibc

/// The service behind the provider of a run, according to the options, and the settings with which the provider reaches
/// it.
struct RunService: Sendable {
    /// nil if nothing can be done to it.
    let service: TestedService?
    /// The provider. Its settings lead to the proxy if there is one.
    let subject: ProviderSubject

    /// Reads the options and starts the proxy.
    ///
    /// - Throws: `ValidatorProblem` that says what is missing.
    static func make(_ options: ValidatorOptions, _ subject: ProviderSubject) async throws(ValidatorProblem)
        -> RunService
    {
        let program = try program(options.service)
        guard options.proxy || program != nil else { return RunService(service: nil, subject: subject) }
        var variables = subject.serviceVariables
        variables["DOCENT_SERVICE_PASSWORD_FILE"] = options.passwordFile.map(absolute)
        var through = subject
        var proxy: ServiceProxy?
        if options.proxy {
            let settings = ServiceSettings(subject.settings)
            let address = try await address(settings, program, variables)
            guard address.isLoopback || options.passwordFile == nil || !settings.isPlain(address) else {
                throw ValidatorProblem(
                    "Through the proxy the password would go to \(address) without encryption, which the provider cannot see.",
                    "Validate against a server on this machine, or one with https.", status: 64)
            }
            let made: ServiceProxy
            do {
                made = try ServiceProxy(to: address, latency: .milliseconds(options.latency ?? 0))
            } catch {
                throw ValidatorProblem(PlainText.words(of: error), "Close some programs.", status: 1)
            }
            guard let replaced = settings.replacing(address, with: made.port) else {
                throw ValidatorProblem(
                    "No --setting names \(address), so the provider would not come through the proxy.",
                    "Name the service by this address in a setting.", status: 64)
            }
            through.settings = replaced
            proxy = made
        }
        let mark = ProcessInfo.processInfo.environment[Leftovers.variable].map { PauseMark(run: $0) }
        return RunService(
            service: TestedService(program: program, proxy: proxy, variables: variables, mark: mark), subject: through)
    }

    /// The program that `--service` names; nil if there is none.
    static func program(_ text: String?) throws(ValidatorProblem) -> ServiceProgram? {
        guard let text else { return nil }
        let own = ProcessInfo.processInfo.environment
        let command = try ReadyService.command(text, environment: own, program: CommandLine.ownProgram)
        return ServiceProgram(command: command, environment: environment(own))
    }

    // The program may start processes that outlive the run, so nothing of theirs may be in the directory of the run.
    private static func environment(_ own: [String: String]) -> [String: String] {
        var result = own
        if own[Leftovers.variable] != nil { result["TMPDIR"] = own[Leftovers.formerTemporary] }
        for name in [Leftovers.variable, Leftovers.formerTemporary] { result[name] = nil }
        return result
    }

    private static func address(
        _ settings: ServiceSettings, _ program: ServiceProgram?, _ variables: [String: String]
    ) async throws(ValidatorProblem) -> ServiceAddress {
        if let program {
            do {
                let text = try await program.run(.address, variables: variables)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                if !text.isEmpty {
                    guard let address = ServiceAddress(text) else {
                        throw ValidatorProblem(
                            "The service program, asked to address, wrote \(PlainText.quoted(text)).",
                            "It must write HOST:PORT, or nothing.", status: 64)
                    }
                    return address
                }
            } catch let problem as ValidatorProblem {
                throw problem
            } catch ServiceProblem.lacking {
                // The address is in the settings then.
            } catch {
                let text = (error as? ServiceProblem)?.text ?? PlainText.words(of: error)
                throw ValidatorProblem(text + ".", "Run it by hand.", status: 1)
            }
        }
        let found = settings.addresses
        guard let address = found.first, found.count == 1 else {
            let names = found.map(\.description).sorted().joined(separator: ", ")
            throw ValidatorProblem(
                found.isEmpty
                    ? "No --setting names the address of a service, so there is nothing to put a proxy in front of."
                    : "The settings name several addresses: \(names).",
                "Give the address as a URL or as host and port, or a --service program that writes it.", status: 64)
        }
        return address
    }

    private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
