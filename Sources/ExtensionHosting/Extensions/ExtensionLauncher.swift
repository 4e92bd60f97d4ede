package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import HostCore
package import Rights
package import Storage
import Varlink

/// Starts one extension: has its code started, and initialises it.
package struct ExtensionLauncher: Sendable {
    private let starter: any ExtensionStarting
    private let layout: StorageLayout
    private let configuration: DaemonConfiguration
    private let secrets: KnownSecrets
    private let clock: any HostClock

    /// - Parameter starter: starts what runs the extension's code.
    package init(
        starter: any ExtensionStarting, layout: StorageLayout, configuration: DaemonConfiguration,
        secrets: KnownSecrets,
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.starter = starter
        self.layout = layout
        self.configuration = configuration
        self.secrets = secrets
    }

    /// The document group of a provider; its own if the manifest names none.
    package static func group(_ description: ProviderDescription) -> String {
        description.documentGroup ?? "group." + description.identifier
    }

    /// Starts an extension and waits for its answer to Initialize.
    ///
    /// - Throws: ``Failure``; its message includes what the process wrote before it ended.
    package func launch(_ provider: KnownProvider, _ manifest: ExtensionManifest) async throws -> ExtensionConnection {
        try layout.prepareStorage(of: provider)
        let started = try await starter.start(provider, manifest)
        do {
            return try await introduce(provider, manifest, started)
        } catch {
            // Before it is terminated: the way it ended by itself is the better explanation.
            let failure = secrets.redact(
                await explain(error, started.program, provider.identifier), of: provider.identifier)
            started.program.terminate()
            // Whoever stopped it while it was starting relies on its end.
            if Task.isCancelled { _ = await started.program.waitForExit() }
            throw failure
        }
    }

    /// Closes a sandbox as for an extension, without loading one.
    package func rehearse() async -> Wire.Check { await starter.rehearse() }

    private func introduce(
        _ provider: KnownProvider, _ manifest: ExtensionManifest, _ started: StartedExtension
    ) async throws -> ExtensionConnection {
        guard let socket = started.program.takeSocket() else {
            throw Failure(.unavailable, "The extension's socket is already in use.")
        }
        let control = VarlinkConnection(descriptor: socket)
        let interface =
            manifest.point == .picker ? DocumentPickerInterface.name : FileProviderInterface.name
        let reply: Reply<FileProviderInterface.Initialize.Reply> = try await control.call(
            interface + ".Initialize", introduction(provider, manifest), deadline: .seconds(15))
        return ExtensionConnection(
            provider: provider.identifier, features: Set(reply.value.features), program: started.program,
            // A process that accepts no connection for longer than its calls may take is hung.
            pool: ConnectionPool(
                control: control, interface: interface,
                connectDeadline: .seconds(min(max(2 * configuration.providerDeadline, 10), 30))),
            deadline: .seconds(configuration.providerDeadline), known: secrets, files: started.files,
            folders: started.folders, clock: clock)
    }

    /// Informs a running extension of the present state of its domains.
    ///
    /// - Throws: ``Failure`` when the extension does not accept it and must be restarted.
    package func introduceAgain(
        _ provider: KnownProvider, _ manifest: ExtensionManifest, _ connection: ExtensionConnection
    ) async throws {
        try layout.prepareStorage(of: provider)
        _ = try await connection.call(FileProviderInterface.Initialize.self, introduction(provider, manifest))
    }

    private func introduction(
        _ provider: KnownProvider, _ manifest: ExtensionManifest
    ) -> FileProviderInterface.Initialize.Parameters {
        FileProviderInterface.Initialize.Parameters(
            version: 1, provider: provider.identifier, point: manifest.point.rawValue,
            principalClass: manifest.principalClass, displayName: provider.description.displayName,
            domains: domains(provider))
    }

    // The default domain has its own row once it was signed in.
    private func domains(_ provider: KnownProvider) -> [Wire.ProviderDomain] {
        let standard = ProviderDomain(
            provider: provider.identifier, identifier: "", displayName: provider.description.displayName)
        let own = provider.domains.contains { $0.identifier.isEmpty } ? [] : [standard]
        return (own + provider.domains).map { told($0, of: provider) }
    }

    /// A domain in the form that its extension receives.
    package func told(_ domain: ProviderDomain, of provider: KnownProvider) -> Wire.ProviderDomain {
        let settings = domain.settings.filter { !DomainSettings.ofHost.contains($0.key) }
        return Wire.ProviderDomain(
            identifier: domain.identifier, displayName: domain.displayName, folder: domain.folderPath,
            storage: layout.documentStorage(
                group: Self.group(provider.description), domain: domain.identifier.isEmpty ? nil : domain.identifier),
            settings: settings.isEmpty ? nil : settings)
    }

    private func explain(_ error: any Error, _ process: any ExtensionProgram, _ provider: String) async -> Failure {
        let transport = (error as? VarlinkError)?.code
        if transport == .closed {
            // A process that has just died is reaped in a moment.
            _ = await process.exit(within: ExtensionConnection.patience)
        }
        let said = process.errorText
        let detail = said.isEmpty ? "" : ": " + (said.split(separator: "\n").last.map(String.init) ?? said)
        let isBroken = transport.map(ExtensionConnection.brokenProtocol.contains) == true
        // The connection of a process that broke the protocol is closed, and many end then.
        if !process.isRunning, case let exit = await process.waitForExit(), !isBroken || exit != .exited(0) {
            return Failure(
                .unavailable, "\(provider) \(exit)\(detail).",
                suggestion: exit.isRefusal
                    ? "`docent doctor` shows which layer of the sandbox is missing."
                    : "`docent provider validate` checks the installed provider.", provider: provider)
        }
        if isBroken {
            return Failure(
                .providerFailed, "\(provider) broke the protocol when it started: \(error)",
                suggestion: "Report this to its authors.", provider: provider)
        }
        let failure = Failure.from(error)
        if failure.code == .deadlineExceeded {
            return Failure(
                .deadlineExceeded, "\(provider) did not answer within 15 seconds after its start\(detail).",
                suggestion: "Report this to its authors; `docent provider reset \(provider)` tries again.",
                provider: provider)
        }
        return ProviderFailures.translate(failure, provider: provider)
    }
}
