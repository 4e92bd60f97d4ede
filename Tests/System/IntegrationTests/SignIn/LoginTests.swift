import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent login` end to end, without a terminal: a real server, a real keyring.
@Suite(.needs(.daemon, .server, .keyring)) struct LoginTests {
    @Test(
        "an accepted password is stored in the keyring, as announced; no file has it, and another daemon finds it"
    )
    func login() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let outcome = try await world.login("--display-name", "The office").succeeded()
            #expect(outcome.text.contains("webdav@work is signed in as ada"))
            #expect(outcome.errors.contains("will be kept in"))
            #expect(try await world.services.secret() == SignInWorld.password)
            #expect(try await world.domain()?["displayName"] as? String == "The office")
            #expect(try await world.state() == "ready")
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            #expect(try world.files(with: SignInWorld.password) == [])
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("b.txt") == "Beta\n")
        }
    }

    @Test("a private certificate authority is used before the password is sent, and is stored")
    func ownAuthority() async throws {
        try await SignInWorld.with(.unlocked, usesTLS: true) { world in
            let authority = try #require(world.remote.server.certificateAuthority)
            #expect(try await world.login().status != 0, "the server's certificate is not trusted")
            #expect(try await world.domain() == nil)
            try await world.login("--certificate-authority", authority).succeeded()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            try await world.logout().succeeded()
            try await world.login().succeeded()
            #expect(try await world.remote.read("b.txt") == "Beta\n")
        }
    }

    @Test("`login --json` prints the domain and the place of the secret, and never the secret")
    func record() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let outcome = try await world.login("--json").succeeded()
            let record = try #require(
                try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.text)")
            let domain = try #require(record["domain"] as? [String: Any])
            let storage = try #require(record["storage"] as? [String: Any])
            #expect(domain["state"] as? String == "ready" && domain["username"] as? String == "ada")
            #expect(storage["rung"] as? String == "secretService" && storage["isWritable"] as? Bool == true)
            #expect(!(outcome.text + outcome.errors).contains(SignInWorld.password))
        }
    }

    @Test(
        "Shell completion offers the existing accounts, from a daemon started for it, and does not wait for one that hangs"
    )
    func completion() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let words = ["---completion", "logout", "--", "positional@0", "2", "0", "docent", "logout", ""]
            try await world.login().succeeded()
            let offered = try await world.remote.docent(words).succeeded().text.split(separator: "\n")
            #expect(offered.contains("WebDAV@work"), "\(offered)")
            let daemon = try #require(world.installation.daemonProcess)
            kill(daemon, SIGSTOP)
            #expect(try await world.remote.docent(words).signal == SIGALRM, "a shell does not hang because of it")
            kill(daemon, SIGCONT)
            try await world.installation.stopDaemon()
            // A completion that takes too long offers nothing; the next one finds the daemon that it started.
            try await world.installation.eventually("it is offered again") {
                try await world.remote.docent(words).text.contains("WebDAV@work")
            }
        }
    }

    @Test("A refused second login leaves the first one unchanged")
    func refusedAgain() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            #expect(try await world.login(password: SignInWorld.wrongPassword).status == 4)
            #expect(try await world.services.secret() == SignInWorld.password)
            #expect(try world.files(with: SignInWorld.wrongPassword) == [])
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
        }
    }

    @Test(
        "a descriptor, an askpass program and its variables supply the secret; a program that fails cancels with 7"
    )
    func sources() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let docent = Installation.binaries + "/docent"
            let installation = world.installation
            let place = world.remote.passwordFile
            try world.remote.write(password: SignInWorld.password)
            func login(_ more: String, environment: [String: String] = [:]) async throws -> Outcome {
                let words = ([docent, "login", "webdav@work"] + world.answers).joined(separator: " ")
                return try await installation.run(
                    "/bin/bash", ["-c", "\(words) \(more)"], environment: environment)
            }
            func signedIn(_ outcome: Outcome) async throws {
                try outcome.succeeded()
                #expect(try await world.services.secret() == SignInWorld.password)
                try await world.services.secretTool("clear", "provider", "org.docent.WebDAV").succeeded()
            }
            try await signedIn(login("--secret-fd 7 7<\(place)"))
            try await signedIn(login("--secret-fd 0 <\(place)"))

            let askpass = installation.home + "/askpass"
            try await ProgramFile.write(
                "#!/bin/sh\necho \"$1\" >>'\(askpass).asked'\ncat '\(place)'\n", to: askpass)
            try await signedIn(login("--askpass \(askpass)"))
            try await signedIn(login("", environment: ["DOCENT_ASKPASS": askpass, "SSH_ASKPASS": "/bin/false"]))
            try await signedIn(login("", environment: ["SSH_ASKPASS": askpass]))
            let asked = try #require(installation.read(askpass + ".asked")).split(separator: "\n")
            #expect(asked.count == 3 && asked.allSatisfy { $0.contains("for webdav@work: ") }, "\(asked)")

            #expect(try await login("--askpass /bin/false").status == 7)
            #expect(try await login("--secret-fd 9").status == 64)
            #expect(try await world.services.secret() == nil)
        }
    }

    @Test(
        "Without a terminal and a source one error names everything that is missing; a secret in the arguments is refused"
    )
    func usage() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let missing = try await world.remote.docent("login", "webdav@work", "--form", "password")
            #expect(missing.status == 64)
            for part in ["--url URL", "--username NAME", "--secret-fd NUMBER"] {
                #expect(missing.errors.contains(part), "\(missing.errors)")
            }
            let argument = try await world.remote.docent(
                ["login", "webdav@work"] + world.answers + ["--set", "password=\(SignInWorld.password)"])
            #expect(argument.status == 64 && !argument.errors.contains(SignInWorld.password), "\(argument.errors)")
            let strange = try await world.remote.docent("login", "webdav@work", "--set", "usrname=ada")
            #expect(strange.status == 64 && strange.errors.contains("usrname"))
            #expect(try await world.domain() == nil)
        }
    }

    @Test("--session keeps the secret only in memory; the keyring is not changed")
    func session() async throws {
        try await SignInWorld.with(.unlocked) { world in
            let outcome = try await world.login("--session").succeeded()
            #expect(outcome.errors.contains("memory"))
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            #expect(try await world.services.secret() == nil)
            #expect(try world.files(with: SignInWorld.password) == [])
        }
    }

    @Test(
        "O7: login, use, logout, login: secret and copies are deleted, a document is refused with 4, and everything is back afterwards"
    )
    func round() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            let opened = try await world.remote.docent("bookmark", "create", "webdav@work:/a.txt").succeeded()
            let bookmark = opened.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try await world.remote.docent("cat", "--bookmark", bookmark).succeeded().text == "Alpha\n")

            let out = try await world.logout().succeeded()
            #expect(out.text.contains("webdav@work is signed out") && out.text.contains("docent login webdav@work"))
            #expect(try await world.services.secret() == nil)
            #expect(try await world.state() == "signedOut")
            let refused = try await world.remote.docent("cat", "webdav@work:/a.txt")
            #expect(refused.status == 4 && refused.errors.contains("docent login"), "\(refused.errors)")
            #expect(try await world.remote.docent("cat", "--bookmark", bookmark).status == 4)
            #expect(try world.files(with: "Alpha") == [])
            let again = try await world.logout().succeeded()
            #expect(again.text.contains("already signed out"))

            try await world.login().succeeded()
            #expect(try await world.remote.docent("cat", "--bookmark", bookmark).succeeded().text == "Alpha\n")
        }
    }
}
