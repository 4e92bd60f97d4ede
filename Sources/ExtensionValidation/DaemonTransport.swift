import DocentInterfaces
import ExtensionHosting
package import ExtensionManifest
package import FileProviderValidation
import Storage

/// Reaches a provider through a daemon: the run has its own daemon, in which the provider is enabled, has a domain, and
/// is used by a client.
package struct DaemonTransport: ValidationTransport {
    /// The provider, as discovery found it.
    package let description: ProviderDescription
    private let environment: [String: String]
    private let programs: PrivateDaemon.Programs
    private let direct: HostTransport

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - description: the provider; it must have a file provider extension.
    ///   - environment: the environment of the validator.
    package init(
        _ description: ProviderDescription, environment: [String: String], programs: PrivateDaemon.Programs
    ) {
        self.description = description
        self.environment = environment
        self.programs = programs
        direct = HostTransport(
            description, isSandboxed: true, environment: environment, hostProgram: programs.extensionHost)
    }

    package var name: String { "daemon" }

    package var abilities: TransportAbilities { [.kill, .restart] }

    package func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
        try await launch(subject, in: directory)
    }

    /// Starts it, and returns more than the protocol's method does.
    package func launch(_ subject: ProviderSubject, in directory: String) async throws -> DaemonProvider {
        // The path of a socket must be short, which that of a case's directory may not be.
        let runtimeParent = try ShortDirectory.makeInRun()
        let places = RunPlaces(directory, runtimeParent: runtimeParent)
        try places.make(for: description, copying: subject.home)
        let daemon = try await PrivateDaemon(programs, for: description, variables: environment, in: places)
        do {
            let enabled = try await EnabledProvider(
                subject, home: places.home, try await DaemonClient(socket: daemon.socket))
            let layout = StorageLayout(dataDirectory: places.data, runtimeDirectory: places.runtime)
            return try DaemonProvider(
                daemon, enabled, features: try await features(subject, in: directory),
                storage: layout.documentStorage(
                    group: ExtensionLauncher.group(description), domain: enabled.domain.isEmpty ? nil : enabled.domain),
                runtimeParent: runtimeParent)
        } catch {
            _ = await daemon.stop(kill: true)
            throw error
        }
    }

    // A daemon does not report a provider's features to clients, so the provider itself is asked.
    private func features(_ subject: ProviderSubject, in directory: String) async throws -> [String] {
        let probe = directory + "/probe"
        let instance = try direct.launch(subject, in: probe)
        let session = try ProviderSession(instance, deadline: .seconds(15))
        defer { session.close() }
        let reply = try await session.initialize(
            .init(
                version: 1, provider: description.identifier, point: "com.apple.fileprovider-nonui",
                principalClass: description.fileProvider?.principalClass, displayName: description.displayName,
                domains: [.init(identifier: "", displayName: "", storage: instance.storage)]))
        session.close()
        _ = await instance.stop(kill: true)
        return reply.features
    }
}
