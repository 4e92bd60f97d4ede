import DocentInterfaces
package import ExtensionManifest
package import FileProviderValidation
import Host
import Storage

/// The way to a provider through a daemon: one of the run's own, in which the provider is enabled, has a domain, and is
/// used by a client.
package struct DaemonTransport: ValidationTransport {
    /// The provider, as discovery found it.
    package let description: ProviderDescription
    private let environment: [String: String]
    private let programs: PrivateDaemon.Programs
    private let direct: HostTransport

    /// A transport.
    ///
    /// - Parameters:
    ///   - description: the provider; it must have a file provider extension.
    ///   - environment: of the validator.
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

    /// The same, with what only this transport knows of it.
    package func launch(_ subject: ProviderSubject, in directory: String) async throws -> DaemonProvider {
        // The path of a socket is short, and a directory of a case need not be.
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

    // A daemon tells its clients nothing of a provider's features, so the provider is asked.
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
