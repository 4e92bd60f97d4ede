import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The state after a login, for every outcome.
@Suite(.needs(.daemon, .server, .keyring)) struct LoginStateTests {
    @Test("a login as another user replaces the account, and leaves no secret of the former one")
    func otherAccount() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "content")
            try await remote.changePassword(to: RemoteInstallation.nextPassword, of: "eve")
            let out = try await remote.login(account: "eve", password: RemoteInstallation.nextPassword)
            #expect(out.status == 0, "\(out)")
            let found = try await keyring.secretTool("search", "--all", "provider", RemoteInstallation.provider)
            #expect((found.text + found.errors).contains("attribute.account = eve"))
            #expect(!(found.text + found.errors).contains("attribute.account = ada"))
            try await remote.write("eve's", "a.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(remote.onServer("a.txt") == "eve's")
        }
    }

    @Test("a login while the service is unreachable ends with 5 and stores nothing; the previous state stays")
    func offlineLogin() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            try await remote.faults().refuse()
            let refused = try await remote.login()
            #expect(refused.status == 5, "\(refused)")
            #expect(try await remote.domain() == nil)
            #expect(try await keyring.secret() == nil)
            try await remote.faults().accept()
            try await remote.login().succeeded()
            try await remote.faults().refuse()
            #expect(try await remote.login(password: RemoteInstallation.nextPassword).status == 5)
            #expect(try await keyring.secret() == RemoteInstallation.password)
            try await remote.faults().accept()
            try await remote.eventually("it is still used") {
                try await remote.docent("cat", remote.location("a.txt")).text == "content"
            }
        }
    }

    @Test(
        "a login whose client or provider is killed stores nothing, and the next one works"
    )
    func killed() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            let arguments = [
                "login", "webdav@work", "--url", remote.url, "--username", "ada", "--password-stdin",
            ]
            let input = Data("\(RemoteInstallation.password)\n".utf8)
            for killsClient in [true, false] {
                try await remote.faults().reset()
                try await remote.faults().add(.hang().always)
                let (client, pipe) = try remote.installation.spawn(arguments)
                try pipe.write(contentsOf: input)
                try pipe.close()
                _ = try await remote.faults().request("the service is asked") { _ in true }
                let provider = try #require(try await remote.installation.extensionProcess())
                if killsClient { client.send(SIGKILL) } else { kill(provider, SIGKILL) }
                try await remote.installation.waitForEnd(of: client)
                #expect(killsClient || client.terminationStatus == 5, "\(client.terminationStatus)")
                #expect(try await remote.domain() == nil)
                #expect(try await keyring.secret() == nil)
            }
            try await remote.faults().reset()
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "content")
        }
    }

    @Test("the provider's default domain, without a name, is signed in and out like any other")
    func ownDomain() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            try await remote.docent(
                ["login", "webdav", "--url", remote.url, "--username", "ada", "--password-stdin"],
                input: Data("\(RemoteInstallation.password)\n".utf8)
            ).succeeded()
            #expect(try await remote.docent("cat", "webdav:/a.txt").succeeded().text == "content")
            #expect(try await keyring.secret(domain: "") == RemoteInstallation.password)
            try await remote.login("work").succeeded()
            try await remote.docent("logout", "webdav", "--yes").succeeded()
            #expect(try await keyring.secret(domain: "") == nil)
            #expect(try await remote.docent("cat", "webdav:/a.txt").status == 4)
            #expect(remote.filesHere("_default").isEmpty)
            #expect(try await remote.read("a.txt") == "content", "another one works")
        }
    }

    @Test(
        "a signed-out domain can be given a password file instead; with a wrong one it stays signed out"
    )
    func setAgain() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            try await remote.login().succeeded()
            try await remote.logout().succeeded()
            let arguments = [
                "domains", "set", "webdav", "work", "--username", "ada", "--password-file", remote.passwordFile,
            ]
            try remote.write(password: "hush-wrong0003")
            #expect(try await remote.docent(arguments).status == 4)
            #expect(try await remote.domain()?.state == "signedOut")
            #expect(try await remote.docent("cat", remote.location("a.txt")).status == 4)
            try remote.write(password: RemoteInstallation.password)
            try await remote.docent(arguments).succeeded()
            #expect(try await remote.read("a.txt") == "content")
            #expect(try await keyring.secret() == nil)
        }
    }

    @Test("a provider that accepts no credential says so, at login and at logout")
    func noCredential() async throws {
        try await Installation.withLocalFolder { installation in
            for command in ["login", "logout"] {
                let out = try await installation.docent(command, "localfolder")
                #expect(out.status == 1, "\(out)")
                #expect(out.errors.contains("takes no credential"), "\(out)")
            }
            try installation.write("content", to: "a.txt")
            #expect(try await installation.docent("cat", "localfolder:/a.txt").succeeded().text == "content")
        }
    }

    @Test("of two concurrent logins of one domain one takes effect completely; the other gets an error")
    func twoLogins() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            try await remote.faults().add(.delay(1).always)
            async let first = remote.login(arguments: ["--display-name", "One"])
            async let second = remote.login(arguments: ["--display-name", "Two"])
            let (one, two) = try await (first, second)
            try await remote.faults().clearRules()
            for outcome in [one, two] { #expect([0, 6].contains(outcome.status), "\(outcome)") }
            #expect(one.status == 0 || two.status == 0)
            let domain = try #require(try await remote.domain())
            #expect(domain.state == "ready")
            if one.status != 0 { #expect(domain.displayName == "Two") }
            if two.status != 0 { #expect(domain.displayName == "One") }
            #expect(try await keyring.secret() == RemoteInstallation.password)
            #expect(try await remote.read("a.txt") == "content")
        }
    }

    @Test(
        "a refused login stores nothing, neither a new domain nor a replacement of an old one",
        arguments: Sample.shared.of([WebDAVServer.Kind.apache, .rclone]))
    func refusedLogin(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.withKeyring(server: kind) { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            let refused = try await remote.login(password: "hush-wrong0001")
            #expect(refused.status == 4, "\(refused)")
            #expect(!refused.errors.contains("hush-"), "\(refused)")
            #expect(try await remote.domain() == nil)
            #expect(try await keyring.secret() == nil)

            try await remote.login().succeeded()
            #expect(try await remote.login(password: "hush-wrong0002").status == 4)
            #expect(try await keyring.secret() == RemoteInstallation.password)
            #expect(try await remote.domain()?.state == "ready")
            #expect(try await remote.read("a.txt") == "content")
        }
    }
}
