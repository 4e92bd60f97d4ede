import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The storage of secrets on different machines, end to end: the output of login, later use, and the output of doctor.
@Suite(.needs(.daemon, .server, .keyring)) struct LadderTests {
    private static let masterPassword = "hush-master-77c0ffee"

    /// The environment of a daemon whose encrypted file has a master password.
    private static func masterPassword(_ services: KeyringServices) throws -> [String: String] {
        let path = services.directory + "/master"
        try Data((masterPassword + "\n").utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return ["DOCENT_KEYRING_PASSWORD_FILE": path]
    }

    @Test(
        "without a bus or without the service, login ends with 5 and names the alternatives, and doctor reports the reason"
    )
    func nothing() async throws {
        for kind in [KeyringServices.Kind.noBus, .noService] {
            try await SignInWorld.with(kind) { world in
                let outcome = try await world.login()
                #expect(outcome.status == 5, "\(outcome.errors)")
                for way in ["keyring", "--sealed-file", "--session", "can read the secret"] {
                    #expect(outcome.errors.contains(way), "\(outcome.errors)")
                }
                #expect(try await world.domain() == nil)
                let check = try await world.doctor()
                #expect(check.status == "warning" && check.remedy != nil, "\(check)")
                #expect(try await world.login("--session").status == 0)
            }
        }
    }

    @Test("a sealed file is used after consent to its stated risk; it persists, and is deleted on logout")
    func sealed() async throws {
        try await SignInWorld.with(.noBus) { world in
            let outcome = try await world.login("--sealed-file").succeeded()
            #expect(outcome.errors.contains("sealed file") && outcome.errors.contains("can read"), "\(outcome.errors)")
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            #expect(try world.files(with: SignInWorld.password) == [])
            #expect(try await world.doctor().detail.lowercased().contains("sealed file"))
            try await world.logout().succeeded()
            #expect(try await world.remote.docent("cat", "webdav@work:/a.txt").status == 4)
            // The consent was only for that login.
            #expect(try await world.login().status == 5)
        }
    }

    @Test(
        "the encrypted file is used if there is a master password; without it nothing is readable, and work continues with it"
    )
    func encrypted() async throws {
        try await SignInWorld.with(.noBus, environment: Self.masterPassword) { world in
            let outcome = try await world.login().succeeded()
            #expect(outcome.errors.contains("encrypted file"), "\(outcome.errors)")
            #expect(try await world.doctor().detail.lowercased().contains("encrypted file"))
            #expect(try world.files(with: SignInWorld.password) == [])
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")

            let path = world.services.directory + "/master"
            try Data("hush-other-00000000\n".utf8).write(to: URL(fileURLWithPath: path))
            try await world.remote.killDaemon()
            let locked = try await world.remote.docent("cat", "webdav@work:/b.txt")
            #expect(locked.status == 5, "\(locked.errors)")
            try Data((Self.masterPassword + "\n").utf8).write(to: URL(fileURLWithPath: path))
            try await world.wait(for: "ready")
            #expect(try await world.remote.read("b.txt") == "Beta\n")
        }
    }

    @Test("systemd credentials are read and never written: login says so, and a domain that names one works")
    func systemd() async throws {
        try await SignInWorld.with(
            .noBus,
            environment: { services in
                let folder = services.directory + "/credentials"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                for name in ["docent.org.docent.WebDAV.work", "dav"] {
                    try Data((SignInWorld.password + "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                    chmod("\(folder)/\(name)", 0o400)
                }
                return ["CREDENTIALS_DIRECTORY": folder]
            }
        ) { world in
            let login = try await world.login()
            #expect(login.status == 5 && login.errors.contains("ncrypted file"), "\(login.errors)")
            #expect(try await world.doctor().detail.contains("systemd"))
            try await world.remote.docent(
                "domains", "add", "webdav", "work", "--url", world.remote.url, "--username", "ada", "--credential",
                "dav"
            ).succeeded()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            let before = try FileManager.default.contentsOfDirectory(atPath: world.services.directory + "/credentials")
            #expect(before.count == 2)
        }
    }

    @Test(
        "with a locked keyring and no user to ask, login ends with 5 in bounded time and stores nothing; unlocked it works"
    )
    func lockedLogin() async throws {
        try await SignInWorld.with(.locked) { world in
            let outcome = try await world.login()
            #expect(outcome.status == 5 && outcome.errors.contains("locked"), "\(outcome.errors)")
            #expect(try await world.domain() == nil)
            let check = try await world.doctor()
            #expect(check.status == "warning" && check.detail.contains("locked"), "\(check)")
            try await world.services.unlock()
            try await world.login().succeeded()
            #expect(try await world.services.secret() == SignInWorld.password)
            #expect(try await world.doctor().status == "ok")
        }
    }

    @Test(
        "a locked keyring is not a sign-out: the exit code is 5, the state is reported, and unlocking is noticed")
    func lockedLater() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            try await world.services.lock()
            try await world.remote.killDaemon()
            let outcome = try await world.remote.docent("cat", "webdav@work:/a.txt")
            #expect(outcome.status == 5 && outcome.errors.contains("keyring"), "\(outcome.errors)")
            try await world.wait(for: "locked")
            #expect(try await world.remote.docent("domains").succeeded().text.contains("locked"))
            try await world.services.unlock()
            try await world.wait(for: "ready")
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
        }
    }

    @Test(
        "A dead keyring is unavailable, not empty: accounts stay signed in, and a new daemon waits for it and continues"
    )
    func death() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            #expect(try await world.remote.docent("ls", "webdav@work:/").status == 0)
            await world.services.killService()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            try await world.remote.killDaemon()
            let outcome = try await world.remote.docent("cat", "webdav@work:/b.txt")
            #expect(outcome.status == 5, "\(outcome.errors)")
            try await world.services.startService()
            try await world.wait(for: "ready")
            #expect(try await world.remote.read("b.txt") == "Beta\n")
        }
    }

    @Test(
        "a secret stays on the rung where it was stored: no other rung replaces it, even a better one that becomes available"
    )
    func stays() async throws {
        try await SignInWorld.with(.noService, environment: Self.masterPassword) { world in
            try await world.login().succeeded()
            try await world.services.startService()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            #expect(try await world.services.secret() == nil)
            // The next login moves it.
            let outcome = try await world.login().succeeded()
            #expect(!outcome.errors.contains("encrypted file"), "\(outcome.errors)")
            #expect(try await world.services.secret() == SignInWorld.password)
            await world.services.killService()
            try await world.remote.killDaemon()
            #expect(try await world.remote.docent("cat", "webdav@work:/b.txt").status == 5)
        }
    }
}
