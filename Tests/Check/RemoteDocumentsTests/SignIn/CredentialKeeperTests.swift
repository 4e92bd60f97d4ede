import DocentInterfaces
import Foundation
import Keyring
import Logging
import Rights
import Testing

@testable import HostCore
@testable import RemoteDocuments

/// Where and when a domain's secret is kept, on a rung that needs no desktop.
@Suite final class CredentialKeeperTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/keeper-" + UUID().uuidString
    private let key = DomainKey(provider: "org.docent.WebDAV", domain: "work")
    private let closed = ClosedDomains()
    private let consents: ProviderConsentStore

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        consents = ProviderConsentStore(database: try HostDatabase(directory: folder + "/data"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private struct Parts {
        let source: CredentialSource
        let keeper: CredentialKeeper
        let signIns: SignIns
    }

    // New each time, as after a restart of the daemon.
    private func parts() -> Parts {
        let environment = ["HOME": folder]
        let ladder = CredentialLadder(environment: environment, dataDirectory: folder + "/data")
        let source = CredentialSource(environment: environment, ladder: ladder)
        let keeper = CredentialKeeper(ladder: ladder, source: source, logger: Logger(label: "test"))
        return Parts(
            source: source, keeper: keeper,
            signIns: SignIns(
                source: source, keeper: keeper, consents: consents, closed: closed, turns: SignInTurns()))
    }

    private func reference(_ account: String, _ source: CredentialReference.Source = .keyring) -> CredentialReference {
        CredentialReference(
            kind: .oauth, source: source, username: account,
            rung: source == .keyring ? CredentialRung.sealedFile.rawValue : nil)
    }

    private func setDomain(_ credential: CredentialReference?) async throws {
        try await consents.setDomain(
            ProviderDomain(
                provider: key.provider, identifier: key.domain, displayName: "Work", credential: credential))
    }

    @Test("a stored secret survives a restart; deleteOthers deletes other accounts' secrets, deleteAll deletes all")
    func life() async throws {
        let first = parts()
        for account in ["ada", "eve"] {
            try await first.keeper.store(Secret("hush-\(account)00000001"), of: key, account: account, on: .sealedFile)
        }
        await first.keeper.deleteOthers(than: reference("ada"), of: key)
        let second = parts()
        #expect(try await second.source.secret(reference("ada"), for: key).text == "hush-ada00000001")
        let failure = await #expect(throws: Failure.self) {
            try await second.source.secret(reference("eve"), for: key)
        }
        #expect(failure?.code == .notAuthenticated)
        #expect(failure?.suggestion?.contains("docent login webdav@work") == true)
        try await second.keeper.deleteAll(reference("ada"), of: key)
        await #expect(throws: Failure.self) { try await parts().source.secret(reference("ada"), for: key) }
    }

    @Test("a secret that another program deleted counts as missing; one in an unreadable place does not")
    func missing() async throws {
        let parts = parts()
        try await parts.keeper.store(Secret("hush-ada00000001"), of: key, account: "ada", on: .sealedFile)
        #expect(await !parts.source.isMissing(reference("ada"), for: key))
        #expect(await parts.source.isMissing(reference("eve"), for: key))
        #expect(await !parts.source.isMissing(reference("eve", .file), for: key))
        try Data("no sealed file".utf8).write(to: URL(fileURLWithPath: folder + "/data/credentials.sealed"))
        #expect(await !parts.source.isMissing(reference("eve"), for: key))
    }

    @Test("a secret in an unusable place may be left there, and the result says where")
    func left() async throws {
        let parts = parts()
        try await parts.keeper.store(Secret("hush-ada00000001"), of: key, account: "ada", on: .sealedFile)
        #expect(try await parts.keeper.deleteAll(reference("ada"), of: key, leaving: true) == nil)
        try await parts.keeper.store(Secret("hush-ada00000001"), of: key, account: "ada", on: .sealedFile)
        let path = folder + "/data/credentials.sealed"
        try Data("no sealed file".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: LockedCredential.self) { try await parts.keeper.deleteAll(reference("ada"), of: key) }
        let left = try await parts.keeper.deleteAll(reference("ada"), of: key, leaving: true)
        #expect(left?.contains(path) == true && left?.contains("domain work") == true, "\(left ?? "nothing")")
    }

    @Test("the next process is given the refreshed token")
    func saved() async throws {
        let first = parts()
        try await first.keeper.store(Secret("hush-token000001"), of: key, account: "ada", on: .sealedFile)
        try await setDomain(reference("ada"))
        try await first.signIns.save(
            provider: key.provider, domain: key.domain, kind: .oauth, username: nil, secret: Secret("hush-token000002"))
        #expect(try await parts().source.secret(reference("ada"), for: key).text == "hush-token000002")
        // A refresh can also report the account's name.
        try await first.signIns.save(
            provider: key.provider, domain: key.domain, kind: .oauth, username: "ada@example.org",
            secret: Secret("hush-token000003"))
        let now = try #require(try await consents.domains().first?.credential)
        #expect(now.username == "ada@example.org")
        #expect(try await parts().source.secret(now, for: key).text == "hush-token000003")
        await #expect(throws: Failure.self) { try await parts().source.secret(reference("ada"), for: key) }
    }

    @Test(
        "a token that is refreshed while its domain is signed out, or signing out, is not kept",
        arguments: [ProviderDomain.SignOut.signingOut, .discarding, .signedOut])
    func closed(_ state: ProviderDomain.SignOut) async throws {
        let parts = parts()
        try await setDomain(reference("ada"))
        closed.close(key, state)
        let failure = await #expect(throws: Failure.self) {
            try await parts.signIns.save(
                provider: key.provider, domain: key.domain, kind: .oauth, username: nil,
                secret: Secret("hush-token000002"))
        }
        #expect(failure?.code == .notAuthenticated)
        await #expect(throws: Failure.self) { try await parts.source.secret(reference("ada"), for: key) }
    }

    @Test("an extension cannot replace a secret in the user's file; a session secret is replaced in memory")
    func otherSources() async throws {
        let parts = parts()
        try await setDomain(reference("ada", .file))
        func save() async throws {
            try await parts.signIns.save(
                provider: key.provider, domain: key.domain, kind: .oauth, username: nil,
                secret: Secret("hush-token000002"))
        }
        let failure = await #expect(throws: Failure.self) { try await save() }
        #expect(failure?.code == .notSupported)
        try await setDomain(nil)
        await #expect(throws: Failure.self) { try await save() }
        try await setDomain(reference("ada", .session))
        try await save()
        #expect(parts.source.remembered(key)?.text == "hush-token000002")
    }
}
