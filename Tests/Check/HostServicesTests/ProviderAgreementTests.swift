import DocentInterfaces
import ExtensionManifest
import Foundation
import Rights
import Testing
import UniformTypes

@testable import ExtensionHosting
@testable import HostServices

/// What an administrator's update may add by itself, and what needs the user's agreement (S3).
@Suite struct ProviderAgreementTests {
    private static let group = "group.org.example.Drive"
    private static let documents = "Documents"

    @Test("new requests of an update are withheld until the user enables the provider; the rest keeps working")
    func update() async throws {
        let world = try ProviderWorld()
        try world.install(["com.apple.security.network.client": true])
        let first = try await world.provider()
        #expect(
            first.state == .ready && first.withheld.isEmpty
                && first.description.fileProvider?.entitlements.networkClient == true)

        try world.install(["com.apple.security.network.client": true, ProviderWorld.write: ["/Documents/"]])
        // The same holds for a daemon that was not running during the update.
        for registry in [world.registry, world.anotherRegistry()] {
            let updated = try await registry.usable("Drive")
            let entitlements = try #require(updated.description.fileProvider?.entitlements)
            #expect(updated.state == .ready && entitlements.networkClient && entitlements.homeReadWrite.isEmpty)
            #expect(updated.withheld == [ProviderRequest(.homeReadWrite, Self.documents)])
            #expect(updated.asked.fileProvider?.entitlements.homeReadWrite == [Self.documents])
        }
        let consent = ConsentDescription.consent(try await world.provider())
        #expect(consent.withheld?.map(\.explanation) == ["reads and changes ~/Documents"])
        #expect(consent.requests.count == 3 && consent.state == "ready" && consent.enabled)
        let check = ProviderCheck.check(try await world.provider(), folders: world.registry.userFolders)
        #expect(check.status == "warning" && check.detail.contains("Documents"), "\(check)")
        #expect(check.remedy?.contains("docent provider enable org.example.Drive") == true)

        try await world.registry.enable("Drive", digest: consent.digest, unsandboxed: false, joining: false)
        for registry in [world.registry, world.anotherRegistry()] {
            let agreed = try await registry.usable("Drive")
            #expect(agreed.withheld.isEmpty)
            #expect(agreed.description.fileProvider?.entitlements.homeReadWrite == [Self.documents])
        }
    }

    @Test("when an update's folder is withheld, errors name the missing agreement and the command")
    func withheldFolder() async throws {
        let world = try ProviderWorld()
        try world.install([ProviderWorld.read: ["/Music/"]])
        _ = try await world.provider()
        try world.install([ProviderWorld.write: ["/Documents/", "/Music/"]])
        let provider = try await world.provider()
        let withheld = provider.withheldFolders(world.registry.userFolders)
        let documents = world.registry.userFolders.path(of: Self.documents)
        let folders = ShownFolders(try world.profile(provider).folders, withheld: withheld)
        let missed = Failure(.serverUnreachable, "The folder \(documents) does not exist.")
        let told = folders.explained(missed, provider: "org.example.Drive")
        #expect(told.code == .serverUnreachable, "the save stays queued")
        #expect(!told.message.contains("does not exist") && told.message.contains(documents), "\(told.message)")
        #expect(told.message.contains("agreed"), "\(told.message)")
        #expect(told.suggestion?.contains("docent provider enable org.example.Drive") == true)
        // A folder that was agreed to before is visible; any failure there has another reason.
        let music = Failure(
            .serverUnreachable, "The folder \(world.registry.userFolders.path(of: "Music")) cannot be opened.")
        #expect(folders.explained(music, provider: "org.example.Drive").message == music.message)
    }

    @Test("the sandbox contains what was agreed to, and nothing that is withheld")
    func sandbox() async throws {
        let world = try ProviderWorld()
        try world.install([ProviderWorld.read: ["/Documents/"], "org.docent.limits.memory": "2 GiB"])
        _ = try await world.provider()
        try world.install([
            ProviderWorld.write: ["/Documents/", "/Music/"],
            "org.docent.limits.memory": "8 GiB", "org.docent.limits.processes": 1000,
            "com.apple.security.network.client": true, "org.docent.spawn": ["/usr/bin/env"],
            "org.docent.loopback-listener": true,
        ])
        let provider = try await world.provider()
        let profile = try world.profile(provider)
        #expect(profile.readWrite.isEmpty && profile.readOnly == [world.home + "/Documents"])
        #expect(!profile.network && profile.spawn.isEmpty && !profile.loopbackListener)
        #expect(profile.limits?.memory == 2 << 30)
        #expect(profile.limits?.processes == ProviderLimits.Kind.processes.standard)
        #expect(
            Set(provider.withheld.map(\.kind))
                == [.homeReadWrite, .network, .spawn, .loopbackListener, .memory, .processes])
        try await world.agree()
        let whole = try world.profile(try await world.provider())
        #expect(Set(whole.readWrite) == [world.home + "/Documents", world.home + "/Music"] && whole.network)
        #expect(whole.limits?.memory == 8 << 30 && whole.spawn == ["/usr/bin/env"] && whole.loopbackListener)
    }

    @Test("an update that asks for less, or goes back a version, loses nothing and needs no agreement")
    func less() async throws {
        let world = try ProviderWorld()
        try world.install([ProviderWorld.write: ["/Documents/"], "com.apple.security.network.client": true])
        _ = try await world.provider()
        for entitlements: [String: Any] in [
            [:], [ProviderWorld.read: ["/Documents/"]],
            [ProviderWorld.write: ["/Documents/"], "com.apple.security.network.client": true],
        ] {
            try world.install(entitlements)
            let provider = try await world.provider()
            #expect(provider.state == .ready && provider.withheld.isEmpty)
            #expect(provider.description.requests == provider.asked.requests)
        }
        // A request that was seen but never agreed to does not count as agreed.
        try world.install([ProviderWorld.write: ["/Music/"]])
        #expect(try await world.provider().withheld.count == 1)
        try world.install([:])
        _ = try await world.provider()
        try world.install([ProviderWorld.write: ["/Music/"]])
        #expect(try await world.provider().withheld.count == 1)
    }

    @Test("a subfolder of an agreed folder, and another spelling of its path, need an agreement of their own")
    func otherFolders() async throws {
        let world = try ProviderWorld()
        try world.install([ProviderWorld.write: ["/Caf\u{E9}/"]])
        _ = try await world.provider()
        for path in ["/Caf\u{E9}/Letters", "/Cafe\u{301}/"] {
            try world.install([ProviderWorld.write: [path]])
            let provider = try await world.provider()
            #expect(provider.withheld.count == 1)
            #expect(provider.description.fileProvider?.entitlements.homeReadWrite == [])
        }
    }

    @Test("documents stay in the agreed group, and secrets of another group are out of reach")
    func groups() async throws {
        let world = try ProviderWorld()
        try world.install(["keychain-access-groups": ["org.example.keys"]])
        _ = try await world.provider()
        try world.install(
            ["keychain-access-groups": ["org.example.keys", "org.example.more"]], group: "group.org.example.Shared")
        let provider = try await world.provider()
        #expect(Set(provider.withheld.map(\.kind)) == [.documentGroup, .keychainGroup])
        #expect(ExtensionLauncher.group(provider.description) == Self.group)
        #expect(await world.registry.group(of: "org.example.Drive") == Self.group)
        #expect(provider.description.fileProvider?.entitlements.keychainAccessGroups == ["org.example.keys"])
        #expect(try await world.consents.owner(of: .init(kind: .document, name: Self.group)) == "org.example.Drive")
        #expect(try await world.consents.owner(of: .init(kind: .document, name: "group.org.example.Shared")) == nil)
        try await world.agree()
        #expect(await world.registry.group(of: "org.example.Drive") == "group.org.example.Shared")
    }

    @Test("15, S3: an administrator's provider does not join a group just by being installed")
    func takenGroups() async throws {
        let world = try ProviderWorld()
        let pin = ProviderPin(
            identifier: "org.example.First", manifestPaths: [], libraryPaths: [], ownerUserID: getuid(), digest: "d")
        let keys = ProviderGroup(kind: .keychain, name: "org.example.keys")
        try await world.consents.enable(pin, groups: [keys])
        try world.install(["keychain-access-groups": [keys.name], "com.apple.security.network.client": true])
        let provider = try await world.provider()
        #expect(provider.state == .ready && provider.withheld == [ProviderRequest(.keychainGroup, keys.name)])
        #expect(provider.description.fileProvider?.entitlements.networkClient == true)
        #expect(try await !world.consents.isMember("org.example.Drive", of: keys))
        await #expect(throws: Failure.self) { try await world.agree() }
        try await world.agree(joining: true)
        #expect(try await world.provider().withheld.isEmpty)

        let documents = try ProviderWorld()
        try await documents.consents.enable(pin, groups: [.init(kind: .document, name: Self.group)])
        try documents.install([:])
        #expect(try await documents.provider().state == .disabled)
        try await documents.agree(joining: true)
        #expect(try await documents.provider().state == .ready)
    }

    @Test("an enabled provider keeps working after an administrator's update, unless sandbox or owner change")
    func enabledBefore() async throws {
        let world = try ProviderWorld()
        try world.install([:])
        try await world.agree()
        try world.install(["com.apple.security.network.client": true])
        #expect(try await world.provider().state == .ready)
        #expect(try await world.provider().withheld == [ProviderRequest(.network)])
        // Nothing can be withheld from a provider without a sandbox.
        try await world.agree(unsandboxed: true)
        #expect(try await world.provider().state == .ready)
        try world.install([ProviderWorld.write: ["/Documents/"]])
        #expect(try await world.provider().state == .changed)
        try await world.agree()
        #expect(try await world.provider().state == .ready)
        // The administrator's directory now belongs to the user.
        try world.install(["com.apple.security.network.client": true])
        #expect(try await world.anotherRegistry(ownedByRoot: false).provider("Drive").state == .changed)
    }

    @Test("15, A14: a user's provider is off after a change, as before; one that the user disabled stays off")
    func users() async throws {
        let world = try ProviderWorld(ownedByRoot: false)
        try world.install([:])
        #expect(try await world.provider().state == .disabled)
        try await world.agree()
        #expect(try await world.provider().state == .ready)
        try world.install(["com.apple.security.network.client": true])
        #expect(try await world.provider().state == .changed)

        let system = try ProviderWorld()
        try system.install([:])
        _ = try await system.provider()
        _ = try await system.registry.disable("Drive")
        try system.install(["com.apple.security.network.client": true])
        #expect(try await system.provider().state == .disabled)
        try await system.agree()
        #expect(try await system.provider().withheld.isEmpty)
    }

    @Test("moving the library to its own directory is not a change that needs an agreement")
    func ownDirectory() async throws {
        let world = try ProviderWorld(ownedByRoot: false)
        try world.install([:], library: "libDrive.so")
        try await world.agree()
        let libraries = world.root + "/usr/lib/docent/providers"
        try FileManager.default.createDirectory(
            atPath: libraries + "/org.example.Drive", withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: libraries + "/libDrive.so", toPath: libraries + "/org.example.Drive/libDrive.so")
        #expect(try await world.provider().state == .ready)
        #expect(try await world.provider().description.fileProvider?.libraryPath.contains("org.example.Drive/") == true)
    }

    @Test("a stored line of another Docent version agrees to nothing that this version knows")
    func lines() async throws {
        for kind in ProviderRequest.Kind.allCases {
            let request = ProviderRequest(kind, kind == .network ? "" : "a b\nc")
            #expect(ProviderRequest(line: request.line) == request)
        }
        #expect(ProviderRequest(line: "telepathy") == nil && ProviderRequest(line: "") == nil)
        let world = try ProviderWorld()
        _ = try await world.consents.admit("org.example.Drive", requests: ["telepathy all"], groups: [:])
        try world.install(["com.apple.security.network.client": true])
        #expect(try await world.provider().withheld.contains(ProviderRequest(.network)))
    }
}
