import DocentTestSupport
import Foundation
import Testing

@testable import Keyring

/// Credentials from the service manager.
@Suite(.needs(.programs)) struct SystemdRungTests {
    private let folder = TemporaryFolder("systemd")
    private var ladder: CredentialLadder {
        CredentialLadder(
            environment: ["CREDENTIALS_DIRECTORY": folder.path], dataDirectory: folder.path, deadline: .seconds(60))
    }

    private func key(domain: String, account: String = "ada") -> CredentialKey {
        CredentialKey(
            accessGroup: CredentialKey.domainGroup(of: "org.example.Files"), provider: "org.example.Files",
            domain: domain,
            account: account)
    }

    @Test("docent.PROVIDER.DOMAIN has the domain's secret in its first line; other files of the directory are ignored")
    func reading() async throws {
        guard case .absent = await ladder.state(of: .systemd) else {
            Issue.record("an empty directory is usable")
            return
        }
        _ = try folder.write("hush-f3310a9c\n", to: "docent.org.example.Files.work", mode: 0o400)
        _ = try folder.write("hush-f3310a9d", to: "docent.org.example.Files")
        _ = try folder.write("hush-f3310a9e", to: "other.org.example.Files.home")
        _ = try folder.write("hush-f3310a9f", to: "docent.keyring-password")
        #expect(await ladder.state(of: .systemd) == .usable)
        #expect(try await ladder.secret(for: key(domain: "work"), on: .systemd) == Secret("hush-f3310a9c"))
        #expect(try await ladder.secret(for: key(domain: ""), on: .systemd) == Secret("hush-f3310a9d"))
        #expect(try await ladder.secret(for: key(domain: "home"), on: .systemd) == nil)
        let listed = try await ladder.list(CredentialQuery(provider: "org.example.Files", account: "ada"), on: .systemd)
        #expect(Set(listed) == [key(domain: "work"), key(domain: "")])
    }

    @Test("only the domain's own access group reaches the credentials, and no name leads out of the directory")
    func names() async throws {
        _ = try folder.write("hush-f3310a9c\n", to: "docent.org.example.Files.work")
        let foreign = CredentialKey(
            accessGroup: "TEAM.group", provider: "org.example.Files", domain: "work", account: "ada")
        #expect(try await ladder.secret(for: foreign, on: .systemd) == nil)
        for domain in ["../../etc/passwd", "a/b", "a:b", "a\u{0}", "ä", String(repeating: "x", count: 300)] {
            #expect(SystemdRung.name(of: key(domain: domain)) == nil, "\(domain)")
            #expect(try await ladder.secret(for: key(domain: domain), on: .systemd) == nil)
        }
    }

    @Test("the credentials are read-only, and without the directory unavailable, not deleted")
    func readOnly() async throws {
        _ = try folder.write("hush-f3310a9c\n", to: "docent.org.example.Files.work")
        let (ladder, key) = (ladder, key(domain: "work"))
        for call: @Sendable () async throws -> Void in [
            { try await ladder.store(Secret("x"), for: key, label: "", on: .systemd) },
            { _ = try await ladder.delete(CredentialQuery(key), on: .systemd) },
        ] {
            let error = await #expect(throws: KeyringError.self) { try await call() }
            if case .readOnly = error {} else { Issue.record("\(String(describing: error))") }
        }
        let without = CredentialLadder(environment: [:], dataDirectory: folder.path, deadline: .seconds(60))
        await #expect(throws: KeyringError.self) { try await without.secret(for: key, on: .systemd) }
    }
}
