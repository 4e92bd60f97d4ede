package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import HostCore
import Rights
package import Storage

/// Starts extensions in processes of their own, each in the sandbox that its manifest describes.
package struct SandboxStarter: ExtensionStarting {
    private let layout: StorageLayout
    private let configuration: DaemonConfiguration
    private let groups: ControlGroups?
    private let writableFolders: @Sendable () async throws -> [String]

    /// - Parameters:
    ///   - groups: where control groups for extensions are made; nil if there are none.
    ///   - writableFolders: the user's folders that any provider may write.
    package init(
        layout: StorageLayout, configuration: DaemonConfiguration, groups: ControlGroups? = nil,
        writableFolders: @escaping @Sendable () async throws -> [String] = { [] }
    ) {
        self.layout = layout
        self.configuration = configuration
        self.groups = groups
        self.writableFolders = writableFolders
    }

    /// Starts a process.
    ///
    /// - Throws: ``Failure`` when it cannot be started; ``LibraryFiles/Distrusted`` when another user may change its
    ///   code.
    package func start(_ provider: KnownProvider, _ manifest: ExtensionManifest) async throws -> StartedExtension {
        var profile = try profile(provider, manifest)
        profile.writableByOthers = try await writableFolders()
        let files = LibraryFiles(library: profile.library, companions: profile.companionLibraries)
        if let distrust = files.distrust(provider: provider.identifier) { throw distrust }
        let withheld = provider.withheldFolders(UserFolders(variables: configuration.environment))
        let folders =
            profile.isUnsandboxed ? ShownFolders() : ShownFolders(profile.folders, withheld: withheld)
        return StartedExtension(
            program: try ExtensionProcess.start(profile, groups: groups), files: files, folders: folders)
    }

    package func rehearse() async -> Wire.Check {
        await SandboxProbe.rehearse(hostProgram: configuration.extensionHost, container: layout.groupsDirectory.text)
    }

    /// The sandbox profile of an extension.
    ///
    /// - Throws: ``Failure`` when its library is missing.
    package func profile(_ provider: KnownProvider, _ manifest: ExtensionManifest) throws -> SandboxProfile {
        let group = ExtensionLauncher.group(provider.description)
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
}

extension StorageLayout {
    /// Creates the document storage of each of a provider's domains.
    package func prepareStorage(of provider: KnownProvider) throws {
        let group = ExtensionLauncher.group(provider.description)
        _ = try prepareDocumentStorage(group: group, domain: nil)
        for domain in provider.domains where !domain.identifier.isEmpty {
            _ = try prepareDocumentStorage(group: group, domain: domain.identifier)
        }
    }
}
