import DocentTestSupport
import Foundation
import Testing

/// The picker with accounts on a server.
@Suite(.needs(.daemon, .server, .keyring)) struct PickRemoteTests {
    private static func drawn(_ arguments: String...) -> [String] {
        ["/usr/bin/env", "TERM=xterm", Installation.binaries + "/docent"] + arguments
    }

    @Test("O6: an account that is signed out says so, signs in within the picker, and then shows its documents")
    func signIn() async throws {
        try await SignInWorld.with(.unlocked) { world in
            try await world.login().succeeded()
            try await world.logout().succeeded()
            let outcome = try await world.installation.onTerminal(
                Self.drawn("cat"),
                [
                    ("signed out", .type("\r")), ("Which one", .type("password\n")),
                    ("Address", .type(world.remote.url + "\n")), ("User name", .type(SignInWorld.username + "\n")),
                    ("Password or app password: ", .type(SignInWorld.password + "\n")), ("b.txt", .type("b")),
                    ("1 of 2", .type("\r")),
                ], columns: 100)
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.hasSuffix("Beta\r\n"), "\(outcome.text)")
            #expect(!outcome.text.contains(SignInWorld.password), "\(outcome.text)")
            #expect(try await world.domain()?["state"] as? String == "ready")
        }
    }

    @Test("N7: what will be downloaded is said before the choice; without the service the list is remembered")
    func download() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("here", "here.txt")
            try await server.put("there", "there.txt")
        } _: { remote in
            let outcome = try await remote.installation.onTerminal(
                Self.drawn("cat"),
                [
                    ("work", .type("\r")), ("there.txt", .type("there")), ("5 B, will be downloaded", .type("\r")),
                ], columns: 100)
            #expect(outcome.status == 0 && outcome.text.hasSuffix("there"), "\(outcome.text)")

            try await remote.faults().refuse()
            let offline = try await remote.installation.onTerminal(
                Self.drawn("cat"),
                [
                    ("From memory", .type("here")), ("2 of 2", .type("\r")),
                    ("r try again", .type("\u{1B}")), ("From memory", .type("\u{15}there")), ("1 of 2", .type("\r")),
                ], columns: 100)
            #expect(offline.status == 0 && offline.text.hasSuffix("there"), "\(offline.text)")
            try await remote.faults().accept()
        }
    }
}
