import DocentInterfaces
import Foundation
import Keyring
import Rights
import Testing

@testable import DaemonCore

/// The secrets of groups on a rung of the ladder that needs no session: our own sealed file (O6).
@Suite(.timeLimit(.minutes(10))) final class GroupSecretsTests {
    private let folder = NSTemporaryDirectory() + "docent-group-\(UUID().uuidString.prefix(8))"
    private let groups: KeychainGroupStore
    private let ladder: CredentialLadder
    private let secrets: GroupSecrets

    init() async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        groups = KeychainGroupStore(database: try HostDatabase(directory: folder))
        ladder = CredentialLadder(environment: [:], dataDirectory: folder)
        secrets = GroupSecrets(ladder: ladder, groups: groups, maximumItems: 20)
        for group in ["g", "h"] { try await groups.setRung(CredentialRung.sealedFile.rawValue, of: group) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func store(_ account: String, _ group: String = "g", domain: String = "") async throws {
        try await secrets.store(
            Secret("hush-\(account)-77aa"), .init(domain: domain, account: account), in: group, label: nil,
            allowingSealedFile: true)
    }

    private func lookUp(_ account: String, _ group: String = "g", domain: String = "") async throws -> String? {
        try await secrets.secret(.init(domain: domain, account: account), in: group, allowingSealedFile: true)?.text
    }

    @Test("A secret is found by group, domain and account together")
    func places() async throws {
        try await store("a", domain: "d")
        #expect(try await lookUp("a", domain: "d") == "hush-a-77aa")
        #expect(try await lookUp("a") == nil)
        #expect(try await lookUp("a", "h", domain: "d") == nil)
        #expect(try await lookUp("b", domain: "d") == nil)
        #expect(
            try await secrets.items(in: "g", allowingSealedFile: true) == [.init(group: "g", domain: "d", account: "a")]
        )
        #expect(try await secrets.items(in: "h", allowingSealedFile: true).isEmpty)
        #expect(try await secrets.delete(.init(domain: "d", account: "a"), in: "g", allowingSealedFile: true))
        #expect(try await !secrets.delete(.init(domain: "d", account: "a"), in: "g", allowingSealedFile: true))
    }

    @Test("The secrets of the daemon and of the provider's domains are in no group's list")
    func others() async throws {
        for (group, provider) in [("g", "org.example.P"), ("org.example.P/domain", "org.example.P")] {
            try await ladder.store(
                Secret("hush-other-12ab"), for: CredentialKey(accessGroup: group, provider: provider, account: "a"),
                label: "x", on: .sealedFile)
        }
        #expect(try await secrets.items(in: "g", allowingSealedFile: true).isEmpty)
        #expect(try await lookUp("a") == nil)
    }

    @Test("T4: a group's items are limited; existing ones can be replaced, and each group counts separately")
    func limits() async throws {
        #expect(GroupSecrets(ladder: ladder, groups: groups).maximumItems == 1000)
        for number in 0..<20 {
            try await ladder.store(
                Secret("hush-many-0001"), for: CredentialKey(accessGroup: "g", provider: "", account: "\(number)"),
                label: "x", on: .sealedFile)
        }
        let failure = await #expect(throws: Failure.self) { try await store("new") }
        #expect(failure?.code == .noSpace)
        try await store("7")
        try await store("new", "h")
        #expect(try await secrets.delete(.init(domain: "", account: "8"), in: "g", allowingSealedFile: true))
        try await store("new")
        #expect(try await secrets.items(in: "g", allowingSealedFile: true).count == 20)
    }

    @Test("secrets stay where they were stored; an unavailable place is an error, never \"there is none\"")
    func away() async throws {
        try await store("a")
        try await groups.setRung(CredentialRung.encryptedFile.rawValue, of: "g")
        let failure = await #expect(throws: Failure.self) { _ = try await lookUp("a") }
        #expect(failure?.code == .unavailable)
        try await groups.setRung("somethingNewer", of: "g")
        let unknown = await #expect(throws: Failure.self) { _ = try await lookUp("a") }
        #expect(unknown?.code == .unavailable)
    }
}
