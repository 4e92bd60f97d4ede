import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import ExtensionValidation
import FileProviderValidation
import Foundation
import Glibc
import HostCore

/// What a run works on, according to its arguments: the provider and the transport to it.
struct RunSetup: Sendable {
    /// The bundle that the argument names.
    let bundle: ProviderBundle
    /// The provider; nil when its manifests cannot be used.
    let description: ProviderDescription?
    private let variables: [String: String]
    private let programs: PrivateDaemon.Programs

    init(_ options: ValidatorOptions) throws {
        guard let target = options.target else {
            throw ValidatorProblem(
                "No provider is named.", "Give a directory, a library, a manifest or an identifier.", status: 64)
        }
        let environment = ProcessInfo.processInfo.environment
        bundle = try ProviderBundle(target, variables: environment)
        variables = bundle.variables
        description = try Self.choose(bundle, options.provider)
        let own = CommandLine.ownProgram
        let folder = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        let host = DaemonConfiguration(environment: environment, ownProgram: own).extensionHost
        programs = PrivateDaemon.Programs(
            daemon: environment["DOCENT_DAEMON"] ?? folder + "/docentd", extensionHost: host)
    }

    private static func choose(_ bundle: ProviderBundle, _ name: String?) throws(ValidatorProblem)
        -> ProviderDescription?
    {
        let names = bundle.providers.map(\.identifier)
        if let name {
            guard let found = bundle.providers.first(where: { $0.identifier == name || $0.locationName == name }) else {
                throw ValidatorProblem(
                    "There is no provider \(name).", "There are: \(names.joined(separator: ", ")).", status: 2)
            }
            return found
        }
        guard bundle.providers.count <= 1 else {
            throw ValidatorProblem(
                "There are \(names.count) providers: \(names.joined(separator: ", ")).", "Choose one with --provider.",
                status: 64)
        }
        return bundle.providers.first
    }

    /// The transport to the provider.
    func transport(_ kind: ValidatorOptions.Transport) throws(ValidatorProblem) -> any ValidationTransport {
        guard let description else {
            throw ValidatorProblem("The provider's manifests cannot be used.", "Correct them first.", status: 1)
        }
        guard access(programs.extensionHost, X_OK) == 0 else {
            throw ValidatorProblem(
                "\(programs.extensionHost), which runs extensions, is missing.",
                "Install Docent again, or name the program in DOCENT_EXTENSION_HOST.", status: 5)
        }
        switch kind {
        case .sandbox, .process:
            return HostTransport(
                description, isSandboxed: kind == .sandbox, environment: variables,
                hostProgram: programs.extensionHost)
        case .daemon:
            guard access(programs.daemon, X_OK) == 0 else {
                throw ValidatorProblem(
                    "The daemon \(programs.daemon) is missing.",
                    "Install Docent again, or name the program in DOCENT_DAEMON.", status: 5)
            }
            return DaemonTransport(description, environment: variables, programs: programs)
        }
    }

    /// Whether its manifests ask for paths below the home.
    var asksForHome: Bool {
        (description?.extensions ?? []).map(\.entitlements).contains {
            !$0.homeReadWrite.isEmpty || !$0.homeReadOnly.isEmpty
        }
    }

    /// What enabling it would allow, in words, one line each.
    var requests: [String] {
        guard let description else { return [] }
        let known = KnownProvider(
            description: description, state: .disabled, isUnsandboxed: false, domains: [], quarantineReason: nil)
        return ConsentDescription.consent(known).requests.map(\.explanation)
    }

    /// The provider as the cases know it.
    func subject(_ options: ValidatorOptions) throws(ValidatorProblem) -> ProviderSubject {
        try options.subject(
            description?.identifier ?? "", principalClass: description?.fileProvider?.principalClass,
            displayName: description?.displayName ?? "")
    }
}
