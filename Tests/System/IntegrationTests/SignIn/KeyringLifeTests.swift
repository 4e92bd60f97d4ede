import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A keyring that is locked, unavailable and available again, below a domain that signs in with it.
@Suite(.needs(.daemon, .server, .keyring)) struct KeyringLifeTests {
    @Test(
        "a locked keyring is reported as such with exit code 5, not as a wrong password; after unlocking everything works again automatically"
    )
    func locked() async throws {
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            try await remote.installation.stopDaemon()
            try await keyring.lock()

            try await remote.write("mine", "a.txt").succeeded()
            let refused = try await remote.docent("cat", remote.location("b.txt"))
            #expect(refused.status == 5, "\(refused)")
            #expect(refused.errors.contains("nlock"), "\(refused)")
            #expect(!refused.errors.contains("docent login"), "\(refused)")
            #expect(try await remote.domain()?.state == "locked")
            #expect(try await remote.read("a.txt") == "mine", "a local copy can be read")
            #expect(remote.onServer("a.txt") == "old")

            try await keyring.unlock()
            // Without any request.
            try await remote.eventually("the change is sent") { remote.onServer("a.txt") == "mine" }
            #expect(try await remote.read("b.txt") == "old")
            #expect(try await remote.domain()?.state == "ready")
        }
    }

    @Test("the same holds for a service that dies, and its return is noticed")
    func away() async throws {
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            try await remote.installation.stopDaemon()
            await keyring.killService()

            try await remote.write("mine", "a.txt").succeeded()
            let refused = try await remote.docent("cat", remote.location("b.txt"))
            #expect(refused.status == 5, "\(refused)")
            #expect(try await remote.domain()?.state == "locked")
            try await keyring.startService()
            try await remote.eventually("the change is sent") { remote.onServer("a.txt") == "mine" }
            #expect(try await remote.read("b.txt") == "old")
        }
    }

    @Test(
        "O7: a logout with a locked keyring closes the domain at once, reports what is left, and finishes when the keyring is unlocked",
        arguments: Sample.shared.of([false, true]))
    func logout(restarts: Bool) async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("old", "a.txt")
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            try await keyring.lock()
            let out = try await remote.logout()
            #expect(out.status == 5, "\(out)")
            #expect(out.errors.contains("credential"), "\(out)")
            #expect(remote.filesHere().isEmpty)
            if restarts { try await remote.restartDaemon() }
            #expect(try await remote.docent("cat", remote.location("a.txt")).status == 4)
            #expect(try await remote.domain()?.state == "signingOut")
            try await keyring.unlock()
            try await remote.eventually("the rest is done automatically") {
                try await remote.domain()?.state == "signedOut"
            }
            #expect(try await keyring.secret() == nil)
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
        }
    }

    @Test("signing out and removing are possible without the keyring, and report where the secret stays")
    func gone() async throws {
        try await RemoteInstallation.withKeyring { remote, keyring in
            for name in ["work", "home"] { try await remote.login(name).succeeded() }
            await keyring.killService()
            let stuck = try await remote.logout()
            #expect(stuck.status == 5 && stuck.errors.contains("--leave-secret"), "\(stuck)")
            #expect(
                try await remote.domain()?.message?.contains("credential") == true, "the list says what it waits for")
            let out = try await remote.logout(arguments: ["--leave-secret"]).succeeded()
            #expect(out.text.contains("secret-tool clear") && out.text.contains("domain work"), "\(out)")
            #expect(try await remote.domain()?.state == "signedOut")

            let refused = try await remote.docent("domains", "remove", "--force", "--yes", "webdav", "home")
            #expect(refused.status == 5 && refused.errors.contains("--leave-secret"), "\(refused)")
            let removed = try await remote.docent("domains", "remove", "--leave-secret", "webdav", "home").succeeded()
            #expect(removed.errors.contains("secret-tool clear"), "\(removed)")
            #expect(try await remote.domain("home") == nil)
        }
    }

    @Test(
        "a secret that another program deletes from the keyring is reported missing, although the provider still has it"
    )
    func cleared() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("old", "a.txt")
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            try await keyring.secretTool(
                "clear", "xdg:schema", "org.docent.Credential", "provider", "org.docent.WebDAV", "domain", "work"
            ).succeeded()
            #expect(try await remote.domain()?.state == "notAuthenticated")
            #expect(try await remote.docent("refresh", remote.location("a.txt")).status == 4)
            try await remote.login().succeeded()
            #expect(try await remote.domain()?.state == "ready")
        }
    }

    @Test("a login with a locked keyring fails with that reason and stores nothing")
    func login() async throws {
        try await RemoteInstallation.withKeyring(.locked) { remote, keyring in
            let refused = try await remote.login()
            #expect(refused.status == 5, "\(refused)")
            #expect(try await remote.domain() == nil)
            try await keyring.unlock()
            #expect(try await keyring.secret() == nil)
            try await remote.login().succeeded()
            #expect(try await keyring.secret() == RemoteInstallation.password)
        }
    }

    @Test(
        "if the keyring dies while the service is asked, the login ends with 5 and stores nothing, and the next one works"
    )
    func dies() async throws {
        try await RemoteInstallation.withKeyring { remote, keyring in
            try await remote.faults().add(.hold().always)
            async let login = remote.login()
            _ = try await remote.faults().request("the service is asked") { _ in true }
            await keyring.killService()
            try await remote.faults().clearRules()
            try await remote.faults().release()
            let outcome = try await login
            #expect(outcome.status == 5, "\(outcome)")
            #expect(try await remote.domain() == nil)
            try await keyring.startService()
            #expect(try await keyring.secret() == nil)
            try await remote.login().succeeded()
            #expect(try await keyring.secret() == RemoteInstallation.password)
        }
    }

    @Test("removing a domain deletes its secret; with a locked keyring the secret stays and is recorded")
    func removed() async throws {
        try await RemoteInstallation.withKeyring { remote, keyring in
            for name in ["work", "home"] { try await remote.login(name).succeeded() }
            try await keyring.lock()
            let refused = try await remote.docent("domains", "remove", "--yes", "webdav", "work")
            #expect(refused.status == 5, "\(refused)")
            #expect(try await remote.domain() != nil)
            try await keyring.unlock()
            try await remote.docent("domains", "remove", "--yes", "webdav", "work").succeeded()
            #expect(try await keyring.secret() == nil)
            #expect(try await keyring.secret(domain: "home") == RemoteInstallation.password)

            // Also for a provider that is no longer installed.
            for point in ["FileProvider", "Picker"] {
                unlink("\(remote.installation.manifests)/\(RemoteInstallation.provider).\(point).plist")
            }
            #expect(try await remote.domain("home") != nil, "the stored secret is still recorded")
            try await remote.docent("domains", "remove", "--yes", RemoteInstallation.provider, "home").succeeded()
            #expect(try await keyring.secret(domain: "home") == nil)
        }
    }
}
