import DocentInterfaces
import ExtensionManifest
import Foundation
import Glibc
import Rights
import Storage
import Testing
import UniformTypes

@testable import ExtensionHosting
@testable import HostCore

/// One provider in a directory of the administrator or of the user, as the host sees it.
final class ProviderWorld {
    static let write = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
    static let read = "com.apple.security.temporary-exception.files.home-relative-path.read-only"

    let root: String
    let consents: ProviderConsentStore
    let registry: ProviderRegistry
    private let layout: StorageLayout
    private let environment: [String: String]
    private var round = 0

    var home: String { root + "/home" }

    /// - Parameter ownedByRoot: whether the administrator installed it.
    init(ownedByRoot: Bool = true) throws {
        let path = NSTemporaryDirectory() + "docent-providers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/home/Documents", withIntermediateDirectories: true)
        root = try #require(PathLookup.canonical(path))
        layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        try layout.prepare()
        consents = ProviderConsentStore(database: try HostDatabase(directory: layout.dataDirectory.text))
        environment = ["HOME": root + "/home", "XDG_DATA_DIRS": root + "/usr/share"]
        registry = Self.registry(environment, consents, root, ownedByRoot)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The registry of a daemon that is started later.
    func anotherRegistry(ownedByRoot: Bool = true) -> ProviderRegistry {
        Self.registry(environment, consents, root, ownedByRoot)
    }

    private static func registry(
        _ environment: [String: String], _ consents: ProviderConsentStore, _ root: String, _ ownedByRoot: Bool
    ) -> ProviderRegistry {
        let own = geteuid()
        // Only root can create files that belong to root.
        let inspector = FileInspector(user: own) { path in
            guard var facts = FileInspector.systemFacts(path) else { return nil }
            facts.owner = path.hasPrefix(root + "/usr") && !ownedByRoot ? own : 0
            facts.permissions &= ~0o022
            return facts
        }
        return ProviderRegistry(
            environment: environment, consents: consents, types: TypeCatalogue(system: UniformTypeRegistry()),
            inspector: inspector)
    }

    /// Installs the provider, or a new version of it.
    func install(
        _ entitlements: [String: Any], group: String = "group.org.example.Drive",
        library: String = "org.example.Drive/libDrive.so"
    ) throws {
        let libraries = root + "/usr/lib/docent/providers/"
        try? FileManager.default.removeItem(atPath: libraries)
        try Self.write(Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]), to: libraries + library)
        var manifest: [String: Any] = [
            "CFBundleIdentifier": "org.example.Drive.FileProvider", "CFBundleDisplayName": "Drive",
            "CFBundleExecutable": "libDrive.so", "com.apple.security.application-groups": [group],
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                "NSExtensionPrincipalClass": "Drive.Provider", "NSExtensionFileProviderDocumentGroup": group,
            ],
        ]
        // Different sizes distinguish two versions of the same moment.
        round += 1
        manifest["CFBundleShortVersionString"] = String(repeating: "1", count: round)
        manifest.merge(entitlements) { $1 }
        try Self.write(
            try JSONSerialization.data(withJSONObject: manifest),
            to: root + "/usr/share/docent/manifests/org.example.Drive.FileProvider.json")
    }

    private static func write(_ data: Data, to path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func provider() async throws -> KnownProvider { try await registry.provider("org.example.Drive") }

    /// As `docent provider enable` does.
    func agree(unsandboxed: Bool = false, joining: Bool = false) async throws {
        let digest = try await provider().asked.digest
        try await registry.enable("Drive", digest: digest, unsandboxed: unsandboxed, joining: joining)
    }

    /// The sandbox that its file provider would run in.
    func profile(_ provider: KnownProvider) throws -> SandboxProfile {
        let starter = SandboxStarter(
            layout: layout,
            configuration: DaemonConfiguration(environment: environment, ownProgram: "/usr/bin/docentd"))
        return try starter.profile(provider, try #require(provider.description.fileProvider))
    }
}
