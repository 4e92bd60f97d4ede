import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent login` and `docent logout --discard` with a user at a terminal.
@Suite(.needs(.daemon, .server, .keyring)) struct LoginTerminalTests {
    private let docent = Installation.binaries + "/docent"

    @Test(
        "login says where the secret will be stored, shows nothing of typed secrets, asks again after a mistake, offers a choice of forms, and restores the terminal after ^C"
    )
    func login() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await TestStep.run("interrupted") { try await interrupted(world) }
            try await TestStep.run("typed") { try await typed(world) }
            try await TestStep.run("chosen") { try await chosen(world) }
        }
    }

    /// ^C while a secret is typed ends with 7 and restores the terminal; three wrong secrets end with 4.
    private func interrupted(_ world: SignInWorld) async throws {
        let words = ([docent, "login", "webdav@work"] + world.answers).joined(separator: " ")
        let outcome = try await world.installation.onTerminal(
            ["/bin/sh", "-c", "trap : INT; \(words); echo \"code $?\"; stty -a"],
            [("Password or app password: ", .type("hush-half\u{03}"))])
        #expect(outcome.text.contains("code 7"), "\(outcome.text)")
        let modes = outcome.text.split(whereSeparator: { " ;\r\n".contains($0) })
        #expect(modes.contains("echo") && !modes.contains("-echo"), "\(outcome.text)")
        #expect(!outcome.text.contains("hush-half"))
        #expect(try await world.domain() == nil)

        let wrong = (1...3).map { _ in
            (shown: "Password or app password: ", action: Installation.TerminalAction.type("hush-wrong-11\n"))
        }
        let refused = try await world.installation.onTerminal(
            [docent, "login", "webdav@work"] + world.answers, wrong)
        #expect(refused.status == 4, "\(refused.text)")
        #expect(refused.text.components(separatedBy: "Password or app password: ").count == 4, "\(refused.text)")
        #expect(try await world.domain() == nil)
    }

    /// It says where the secret will be stored before it asks, and asks again after a mistake.
    private func typed(_ world: SignInWorld) async throws {
        let outcome = try await world.installation.onTerminal(
            [docent, "login", "webdav@typed", "--form", "password"],
            [
                ("Address: ", .type("no address\n")), ("Address: ", .type(world.remote.url + "\n")),
                ("User name: ", .type("ada\n")),
                ("Password or app password: ", .type(SignInWorld.wrongPassword + "\n")),
                ("Address [\(world.remote.url)]: ", .type("\n")), ("User name [ada]: ", .type("\n")),
                ("Password or app password: ", .type(SignInWorld.password + "\n")),
            ])
        #expect(outcome.status == 0, "\(outcome.text)")
        for secret in [SignInWorld.password, SignInWorld.wrongPassword] {
            #expect(!outcome.text.contains(secret), "\(outcome.text)")
        }
        let place = try #require(outcome.text.firstRange(of: "will be kept in"), "\(outcome.text)")
        let question = try #require(outcome.text.firstRange(of: "Password or app password: "))
        #expect(place.upperBound < question.lowerBound)
        #expect(outcome.text.contains("webdav@typed is signed in as ada"))
        #expect(try await world.services.secret(domain: "typed") == SignInWorld.password)
    }

    /// The user chooses among several forms by number or name; given options are not asked for.
    private func chosen(_ world: SignInWorld) async throws {
        let outcome = try await world.installation.onTerminal(
            [docent, "login", "webdav@chosen", "--url", world.remote.url],
            [
                ("Which one [1]: ", .type("99\n")), ("Which one [1]: ", .type("password\n")),
                ("User name: ", .type("ada\n")),
                ("Password or app password: ", .type(SignInWorld.password + "\n")),
            ])
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(!outcome.text.contains("Address: "))
        // With a given user name there is only one form that asks for it.
        let again = try await world.installation.onTerminal(
            [docent, "login", "webdav@chosen", "--url", world.remote.url, "--username", "ada"],
            [("Password or app password: ", .type(SignInWorld.password + "\n"))])
        #expect(again.status == 0 && !again.text.contains("Which one"), "\(again.text)")
    }

    @Test("without a place for the secret it is not asked for")
    func nowhere() async throws {
        try await SignInWorld.with(.noBus) { world in
            let outcome = try await world.installation.onTerminal(
                [docent, "login", "webdav@work", "--form", "password"],
                [("Address: ", .type("x\n")), ("assword", .type("x\n"))])
            #expect(outcome.status == 5, "\(outcome.text)")
            #expect(!outcome.text.contains("Address: ") && !outcome.text.contains("password: "), "\(outcome.text)")
        }
    }

    @Test(
        "--discard asks twice, the second time with the number of lost changes; one \"no\" is enough to change nothing"
    )
    func discard() async throws {
        try await SignInWorld.with(.unlocked, throughProxy: true) { world in
            try await world.login().succeeded()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            try await world.remote.server.stop()
            try await world.remote.write("Changed\n", "a.txt").succeeded()
            let command = [docent, "logout", "webdav@work", "--discard", "--timeout", "1"]

            let alone = try await world.logout("--discard", "--timeout", "1")
            #expect(alone.status == 64 && alone.errors.contains("--yes --yes"), "\(alone.errors)")
            #expect(try await world.logout("--discard", "--yes", "--timeout", "1").status == 64)

            let no = try await world.installation.onTerminal(
                command,
                [("drop its unsent changes? [y/N] ", .type("y\n")), ("Drop it? [y/N] ", .type("n\n"))])
            #expect(no.status == 7, "\(no.text)")
            #expect(no.text.contains("a.txt") && no.text.contains("1 change of webdav@work"), "\(no.text)")
            #expect(try await world.services.secret() == SignInWorld.password)

            let yes = try await world.installation.onTerminal(
                command,
                [("drop its unsent changes? [y/N] ", .type("y\n")), ("Drop it? [y/N] ", .type("y\n"))])
            #expect(yes.status == 0 && yes.text.contains("1 change was dropped"), "\(yes.text)")
            #expect(try await world.remote.docent("versions", "list", "--json").succeeded().text == "[]\n")
            #expect(try world.files(with: "Changed") == [])
            #expect(try await world.services.secret() == nil)
        }
    }

    @Test(
        "Logout shows what it sends; ^C meanwhile changes nothing, and a repeated logout sets aside what cannot be sent"
    )
    func interruptedLogout() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            try await world.remote.server.stop()
            try await world.remote.write("Changed\n", "a.txt").succeeded()
            let outcome = try await world.installation.onTerminal(
                [docent, "logout", "webdav@work", "--timeout", "600"], [("Sending 1 change", .type("\u{03}"))])
            #expect(outcome.status == 7, "\(outcome.text)")
            #expect(try await world.state() != "signedOut")
            #expect(try await world.services.secret() == SignInWorld.password)
            #expect(try await world.remote.read("a.txt") == "Changed\n")

            let again = try await world.logout("--timeout", "1", "--json").succeeded()
            let record = try #require(try JSONSerialization.jsonObject(with: again.output) as? [String: Any])
            let kept = try #require(record["kept"] as? [[String: Any]])
            #expect(kept.map { $0["name"] as? String } == ["a.txt"] && record["wasSignedOut"] as? Bool == false)
            let identifier = try #require(kept.first?["identifier"] as? String)
            #expect(try await world.remote.docent("versions", "show", identifier).succeeded().text == "Changed\n")
        }
    }
}
