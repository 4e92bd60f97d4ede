package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import HostCore
package import Rights
package import Storage
import Varlink

/// Starts one extension: determines its sandbox, starts the process, and initialises it.
package struct ExtensionLauncher: Sendable {
    private let layout: StorageLayout
    private let configuration: DaemonConfiguration
    private let secrets: KnownSecrets
    private let groups: ControlGroups?
    private let writableFolders: @Sendable () async throws -> [String]

    /// - Parameters:
    ///   - groups: where control groups for extensions are made; nil if there are none.
    ///   - writableFolders: the user's folders that any provider may write.
    package init(
        layout: StorageLayout, configuration: DaemonConfiguration, secrets: KnownSecrets, groups: ControlGroups? = nil,
        writableFolders: @escaping @Sendable () async throws -> [String] = { [] }
    ) {
        self.groups = groups
        self.layout = layout
        self.configuration = configuration
        self.secrets = secrets
        self.writableFolders = writableFolders
    }

    /// The document group of a provider; its own if the manifest names none.
    package static func group(_ description: ProviderDescription) -> String {
        description.documentGroup ?? "group." + description.identifier
    }

    /// Starts an extension and waits for its answer to Initialize.
    ///
    /// - Throws: ``Failure``; its message includes what the process wrote before it ended.
    package func launch(_ provider: KnownProvider, _ manifest: ExtensionManifest) async throws -> ExtensionConnection {
        var profile = try profile(provider, manifest)
        profile.writableByOthers = try await writableFolders()
        let files = LibraryFiles(library: profile.library, companions: profile.companionLibraries)
        if let distrust = files.distrust(provider: provider.identifier) { throw distrust }
        let withheld = provider.withheldFolders(UserFolders(variables: configuration.environment))
        let folders =
            profile.isUnsandboxed ? ShownFolders() : ShownFolders(profile.folders, withheld: withheld)
        let process = try ExtensionProcess.start(profile, groups: groups)
        do {
            return try await introduce(provider, manifest, process, files, folders)
        } catch {
            // Before it is terminated: the way it ended by itself is the better explanation.
            let failure = secrets.redact(
                await explain(error, process, provider.identifier), of: provider.identifier)
            process.terminate()
            throw failure
        }
    }

    /// Closes a sandbox as for an extension, without loading one.
    package func rehearse() async -> Wire.Check {
        await SandboxProbe.rehearse(hostProgram: configuration.extensionHost, container: layout.groupsDirectory.text)
    }

    private func introduce(
        _ provider: KnownProvider, _ manifest: ExtensionManifest, _ process: ExtensionProcess, _ files: LibraryFiles,
        _ folders: ShownFolders
    ) async throws -> ExtensionConnection {
        guard let socket = process.takeSocket() else {
            throw Failure(.unavailable, "The extension's socket is already in use.")
        }
        let control = VarlinkConnection(descriptor: socket)
        let interface =
            manifest.point == .picker ? DocumentPickerInterface.name : FileProviderInterface.name
        let reply: Reply<FileProviderInterface.Initialize.Reply> = try await control.call(
            interface + ".Initialize", introduction(provider, manifest), deadline: .seconds(15))
        return ExtensionConnection(
            provider: provider.identifier, features: Set(reply.value.features), process: process,
            pool: ConnectionPool(control: control, interface: interface),
            deadline: .seconds(configuration.providerDeadline), known: secrets, files: files, folders: folders)
    }

    /// Informs a running extension of the present state of its domains.
    ///
    /// - Throws: ``Failure`` when the extension does not accept it and must be restarted.
    package func introduceAgain(
        _ provider: KnownProvider, _ manifest: ExtensionManifest, _ connection: ExtensionConnection
    ) async throws {
        try prepareStorage(provider)
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

    private func prepareStorage(_ provider: KnownProvider) throws {
        let group = Self.group(provider.description)
        _ = try layout.prepareDocumentStorage(group: group, domain: nil)
        for domain in provider.domains where !domain.identifier.isEmpty {
            _ = try layout.prepareDocumentStorage(group: group, domain: domain.identifier)
        }
    }

    /// The sandbox profile of an extension; its container is created.
    ///
    /// - Throws: ``Failure`` when its library is missing; an error of storage.
    package func profile(_ provider: KnownProvider, _ manifest: ExtensionManifest) throws -> SandboxProfile {
        let group = Self.group(provider.description)
        try prepareStorage(provider)
        let home = configuration.environment["HOME"] ?? "/"
        guard let library = PathLookup.canonical(manifest.libraryPath) else {
            throw Failure(
                .unavailable, "The library \(manifest.libraryPath) is missing.",
                suggestion: "Install \(provider.identifier) again.", provider: provider.identifier)
        }
        var profile = SandboxProfile(
            hostProgram: configuration.extensionHost, library: library, container: layout.groupDirectory(group),
            home: home)
        profile.libraryDirectory = LibraryClosure.ownDirectory(of: library, provider: provider.identifier)
        if let directory = profile.libraryDirectory {
            guard let files = LibraryClosure.files(in: directory, besides: library) else {
                throw Failure(
                    .providerFailed,
                    "\(directory) has more than \(LibraryClosure.mostFiles) files, and cannot be watched.",
                    suggestion: "Report this to the authors of \(provider.identifier).", provider: provider.identifier)
            }
            profile.companionLibraries = files
        } else {
            profile.companionLibraries = LibraryClosure.companions(of: library)
        }
        if let toolchain = LibraryClosure.toolchainRuntime(of: library),
            configuration.environment["DOCENT_SWIFT_RUNTIME"] == nil
        {
            // The library finds it by itself.
            profile.swiftRuntime = toolchain
        } else {
            profile.swiftRuntime = LibraryClosure.swiftRuntime(configuration.environment)
            profile.isRuntimeNamed = true
        }
        let entitlements = manifest.entitlements
        let user = UserFolders(variables: configuration.environment)
        profile.readWrite = entitlements.writableFolders(user) + provider.domains.compactMap(\.folderPath)
        profile.readOnly = entitlements.readableFolders(user)
        if entitlements.namesDocuments { profile.documents = user.documents }
        profile.network = entitlements.networkClient
        profile.spawn = entitlements.spawn
        profile.loopbackListener = entitlements.loopbackListener
        profile.limits = manifest.limits.capped(by: configuration.providerCeilings)
        profile.isUnsandboxed = provider.isUnsandboxed
        profile.locale = configuration.environment
        return profile
    }

    private func explain(_ error: any Error, _ process: ExtensionProcess, _ provider: String) async -> Failure {
        let transport = (error as? VarlinkError)?.code
        if transport == .closed {
            // A process that has just died is reaped in a moment.
            _ = await process.exit(within: ExtensionConnection.patience)
        }
        let said = process.errorText
        let detail = said.isEmpty ? "" : ": " + (said.split(separator: "\n").last.map(String.init) ?? said)
        if !process.isRunning {
            let exit = await process.waitForExit()
            return Failure(
                .unavailable, "\(provider) \(exit)\(detail).",
                suggestion: exit.isRefusal
                    ? "`docent doctor` shows which layer of the sandbox is missing."
                    : "`docent provider validate` checks the installed provider.", provider: provider)
        }
        if let transport, ExtensionConnection.brokenProtocol.contains(transport) {
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
