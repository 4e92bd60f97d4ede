import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Signing in with a browser, from the command line to the keyring, with a real identity server and an Apache that
/// accepts its tokens.
@Suite(.needs(.daemon, .server, .keyring)) struct OAuthTests {
    /// The complete setup for one test.
    private struct World: Sendable {
        let remote: RemoteInstallation
        let keyring: KeyringServices
        let identity: IdentityService

        static func with(_ body: (World) async throws -> Void) async throws {
            try await IdentityService.with { identity in
                try await KeyringServices.with(.unlocked) { keyring in
                    let options = RemoteInstallation.Options(
                        server: .init(identity: identity.url), throughProxy: false, environment: keyring.environment,
                        addsDomain: false)
                    try await RemoteInstallation.with(.apache, options: options) { remote in
                        for name in ["a", "b"] { try remote.onServer("old", "\(name).txt") }
                        try await body(World(remote: remote, keyring: keyring, identity: identity))
                    }
                }
            }
        }

        /// `docent login --form browser`, with a browser whose user acts like this, or without one.
        func login(action: String? = "approve", _ more: [String] = []) async throws -> Outcome {
            var environment: [String: String] = [:]
            if let action {
                environment["BROWSER"] = try await identity.browser(in: remote.installation.given, action: action)
            }
            let arguments =
                ["login", "webdav@work", "--form", "browser", "--url", remote.url, "--set", "client=docent"] + more
            return try await remote.installation.run(
                Installation.binaries + "/docent", arguments, environment: environment)
        }

        /// The refresh token in the keyring.
        func kept() async throws -> String? {
            struct Kept: Decodable { var refresh: String? }
            guard let secret = try await keyring.secret() else { return nil }
            return try JSONDecoder().decode(Kept.self, from: Data(secret.utf8)).refresh
        }
    }

    @Test("a browser on this machine signs in; the tokens are in the keyring and nowhere else")
    func loopback() async throws {
        try await World.with { world in
            let outcome = try await world.login().succeeded()
            #expect(!outcome.errors.contains("hush"), "\(outcome)")
            #expect(try await world.remote.read("a.txt") == "old")
            #expect(try await world.remote.domain()?.state == "ready")
            let state = try await world.identity.state()
            #expect(try await world.kept() == state.refresh.first && state.refresh.count == 1)
            try await world.remote.write("new", "b.txt").succeeded()
            try await world.remote.drain().succeeded()
            #expect(world.remote.onServer("b.txt") == "new")
            let shown = try await world.remote.docent("domains", "--json").succeeded().text
            #expect(shown.contains("work") && !shown.contains("hush"))
        }
    }

    @Test("a code typed into a browser elsewhere signs in")
    func device() async throws {
        try await World.with { world in
            async let login = world.login(action: nil, ["--device"])
            try await world.remote.eventually("a code is shown") { try await !world.identity.state().userCodes.isEmpty }
            let code = try #require(try await world.identity.state().userCodes.first)
            try await world.identity.type(code)
            let outcome = try await login.succeeded()
            #expect(
                outcome.errors.contains(code) && outcome.errors.contains(world.identity.url + "device"), "\(outcome)")
            #expect(try await world.remote.read("a.txt") == "old")
        }
    }

    @Test("a refusal in the browser ends with exit code 4 and the reason, and stores nothing")
    func refused() async throws {
        try await World.with { world in
            let outcome = try await world.login(action: "deny")
            #expect(outcome.status == 4, "\(outcome)")
            #expect(outcome.errors.contains("Anna said no"), "\(outcome)")
            #expect(try await world.remote.domain() == nil)
            #expect(try await world.keyring.secret() == nil)
        }
    }

    @Test("an expired token is renewed and saved, so that kill -9 of the daemon causes no sign-out")
    func renewedOverKill() async throws {
        try await World.with { world in
            try await world.login().succeeded()
            let first = try await world.kept()
            for (count, name) in ["a", "b"].enumerated() {
                try await world.identity.control("expire")
                #expect(try await world.remote.read("\(name).txt") == "old")
                let state = try await world.identity.state()
                #expect(state.renewals == count + 1)
                #expect(try await world.kept() == state.refresh.first)
                try await world.remote.killDaemon()
            }
            #expect(try await world.kept() != first)
            #expect(try await world.remote.domain()?.state != "notAuthenticated")
        }
    }

    @Test(
        "a revoked token is \"not authenticated\": exit code 4 and the command to run; after a login everything continues"
    )
    func revoked() async throws {
        try await World.with { world in
            try await world.login().succeeded()
            #expect(try await world.remote.read("a.txt") == "old")
            try await world.identity.control("revoke")
            try await world.remote.write("mine", "a.txt").succeeded()
            try await world.remote.eventually("the domain reports it") {
                try await world.remote.domain()?.state == "notAuthenticated"
            }
            for _ in 0..<3 {
                let refused = try await world.remote.docent("cat", world.remote.location("b.txt"))
                #expect(refused.status == 4, "\(refused)")
                #expect(refused.errors.lowercased().contains("docent login webdav@work"), "\(refused)")
            }
            #expect(try await world.identity.state().renewals <= 3, "few requests")
            #expect(world.remote.onServer("a.txt") == "old")

            try await world.login().succeeded()
            try await world.remote.eventually("the change is sent") { world.remote.onServer("a.txt") == "mine" }
            #expect(try await world.remote.read("b.txt") == "old")
            #expect(try await world.remote.domain()?.state == "ready")
        }
    }

    @Test("an identity server that is down is \"unreachable\", exit code 5, and causes no sign-out")
    func away() async throws {
        try await World.with { world in
            try await world.login().succeeded()
            let kept = try await world.kept()
            try await world.identity.control("expire")
            try await world.identity.control("fault", #"{"path": "/token", "kind": "cut", "count": 1000000}"#)
            let refused = try await world.remote.docent("cat", world.remote.location("b.txt"))
            #expect(refused.status == 5, "\(refused)")
            #expect(!refused.errors.contains("docent login"), "\(refused)")
            #expect(try await world.kept() == kept)
            try await world.identity.control("clear")
            try await world.remote.eventually("it is read") {
                try await world.remote.docent("cat", world.remote.location("b.txt")).status == 0
            }
            #expect(try await world.identity.state().renewals == 1)
        }
    }

    @Test("during a renewal for an earlier login a new login's tokens are kept, also over kill -9")
    func loginDuringRenewal() async throws {
        try await World.with { world in
            try await world.login().succeeded()
            try await world.identity.control("expire")
            try await world.identity.control("fault", #"{"path": "/token", "kind": "delay", "seconds": 6}"#)
            async let reading = world.remote.docent("cat", world.remote.location("a.txt"))
            try await world.remote.eventually("the renewal") { try await world.identity.state().renewals == 1 }
            try await world.login().succeeded()
            let kept = try await world.kept()
            _ = try await reading
            // The renewal has arrived by now, and its session would save it.
            try await world.remote.eventually("both sign-ins have tokens") {
                try await world.identity.state().refresh.count == 2
            }
            #expect(try await world.remote.read("b.txt") == "old")
            #expect(try await world.kept() == kept)
            try await world.remote.killDaemon()
            try await world.identity.control("expire")
            #expect(try await world.remote.read("a.txt") == "old")
        }
    }

    @Test("O7: after a logout neither the daemon nor the extension renews or stores anything, and the next login works")
    func logout() async throws {
        try await World.with { world in
            try await world.login().succeeded()
            #expect(try await world.remote.read("a.txt") == "old")
            try await world.remote.logout().succeeded()
            #expect(try await world.keyring.secret() == nil)
            try await world.identity.control("expire")
            #expect(try await world.remote.docent("cat", world.remote.location("a.txt")).status == 4)
            #expect(try await world.identity.state().renewals == 0)
            try await world.login().succeeded()
            #expect(try await world.remote.read("a.txt") == "old")
        }
    }
}

extension RemoteInstallation {
    /// Writes a document to the server's disk: no token is needed.
    fileprivate func onServer(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(server.folder)/\(name)"))
    }
}
