import DocentInterfaces
import ExtensionHosting
package import ExtensionManifest
package import FileProviderValidation
import HostCore
import Rights
import Storage

/// Reaches a provider through the extension host: in its own process, in the sandbox of its manifest or, as a plain
/// process, without one. Everything that the manifest asks for is granted. Its home is an empty directory below that of
/// the run.
package struct HostTransport: ValidationTransport {
    /// The provider, as discovery found it.
    package let description: ProviderDescription
    /// Whether it runs in its sandbox.
    package let isSandboxed: Bool
    private let environment: [String: String]
    private let hostProgram: String

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - description: the provider; it must have a file provider extension.
    ///   - isSandboxed: false runs it as a plain process with all rights of this one.
    ///   - environment: the environment of the validator: locale, time zone, proxies and `DOCENT_SWIFT_RUNTIME` are
    ///     taken from it.
    ///   - hostProgram: path of `docent-extension-host`.
    package init(
        _ description: ProviderDescription, isSandboxed: Bool, environment: [String: String], hostProgram: String
    ) {
        self.description = description
        self.isSandboxed = isSandboxed
        self.environment = environment
        self.hostProgram = hostProgram
    }

    package var name: String { isSandboxed ? "sandbox" : "process" }

    package var abilities: TransportAbilities {
        let common: TransportAbilities = [.kill, .restart, .measure, .direct, .lifeCycle]
        return isSandboxed ? common.union(.sandbox) : common
    }

    package func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
        try launch(subject, in: directory)
    }

    /// Starts it, and returns more than the protocol's method does.
    package func launch(_ subject: ProviderSubject, in directory: String) throws -> HostedProvider {
        guard let manifest = description.fileProvider else {
            throw Failure(.invalidArgument, "\(description.identifier) has no file provider extension to be validated.")
        }
        let places = RunPlaces(directory, runtimeParent: directory + "/run")
        try places.make(for: description, copying: subject.home)
        let layout = StorageLayout(dataDirectory: places.data, runtimeDirectory: places.runtime)
        try layout.prepare()
        var configuration = DaemonConfiguration(
            environment: environment.merging(
                ["HOME": places.home, "XDG_CONFIG_HOME": places.home + "/.config", UserFolders.documentsVariable: ""]
            ) { _, new in new }, ownProgram: hostProgram)
        configuration.extensionHost = hostProgram
        let starter = SandboxStarter(layout: layout, configuration: configuration)
        let known = KnownProvider(
            description: description, state: .ready, isUnsandboxed: !isSandboxed, domains: domains(subject),
            quarantineReason: nil)
        try layout.prepareStorage(of: known)
        var profile = try starter.profile(known, manifest)
        profile.watchesAttempts = isSandboxed
        return HostedProvider(
            process: try ExtensionProcess.start(profile),
            storage: layout.documentStorage(group: ExtensionLauncher.group(description), domain: nil),
            profile: profile)
    }

    // The sandbox shows the folders of domains.
    private func domains(_ subject: ProviderSubject) -> [ProviderDomain] {
        guard let folder = subject.folder else { return [] }
        return [
            ProviderDomain(
                provider: description.identifier, identifier: "validation", displayName: "Validation",
                folderPath: folder)
        ]
    }
}
