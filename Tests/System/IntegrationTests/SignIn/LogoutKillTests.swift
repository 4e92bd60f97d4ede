import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing

/// kill -9 of the daemon after each durable step of a login and of a logout.
@Suite(.needs(.daemon, .server, .keyring)) struct LogoutKillTests {
    @Test(
        "O7, E8: a logout killed at any step has either not begun or is completed by the next daemon; no access is possible meanwhile",
        arguments: Sample.shared.of(SignInCheckpoint.allCases.filter(\.isOfLogout)))
    func logout(step: SignInCheckpoint) async throws {
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b", "c"] { try await server.put("old", "\(name).txt") }
        } _: { remote, keyring in
            try await remote.login().succeeded()
            for name in ["a", "b"] { #expect(try await remote.read("\(name).txt") == "old") }
            try await remote.docent("info", remote.location("c.txt")).succeeded()
            try await remote.faults().add(.status(503).on("PUT").always)
            try await remote.write("mine", "b.txt").succeeded()
            try await remote.installation.stopDaemon()

            let daemon = try await remote.installation.readyDaemon(crashAfter: step.rawValue)
            #expect(try await !remote.attemptLogout(), "\(step): there was no daemon to answer")
            try await remote.installation.waitForEnd(of: daemon)
            #expect(daemon.terminationReason == .uncaughtSignal, "\(step)")

            if step == .drained {
                #expect(try await remote.read("b.txt") == "mine")
                #expect(try await keyring.secret() == RemoteInstallation.password)
                #expect(try await remote.versions().isEmpty)
                return
            }
            let refused = try await remote.docent("cat", remote.location("a.txt"))
            #expect(refused.status == 4, "\(step): \(refused)")
            try await remote.eventually("\(step): the next daemon has completed it") {
                try await remote.domain()?.state == "signedOut"
            }
            try await Self.expectGone(step, remote, keyring)
            try await remote.faults().clearRules()
            try await remote.login().succeeded()
            #expect(try await remote.names() == ["a.txt", "b.txt", "c.txt"])
            #expect(try await remote.read("b.txt") == "old")
        }
    }

    private static func expectGone(
        _ step: SignInCheckpoint, _ remote: RemoteInstallation, _ keyring: KeyringServices
    ) async throws {
        #expect(try await keyring.secret() == nil, "\(step)")
        #expect(remote.filesHere().isEmpty && remote.unfinished.isEmpty, "\(step): \(remote.filesHere())")
        let versions = try await remote.versions()
        #expect(versions.map(\.name) == ["b.txt"], "\(step)")
        if let kept = versions.first {
            #expect(try await remote.docent("versions", "show", kept.identifier).succeeded().text == "mine")
        }
        #expect(try await remote.installation.status().pendingOperations == 0, "\(step)")
        #expect(remote.installation.leftovers.isEmpty, "\(step): \(remote.installation.leftovers)")
        #expect(remote.onServer("b.txt") == "old")
    }

    @Test("O7: a logout with --discard that is killed before it discards anything is completed by the next daemon")
    func discarding() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("old", "b.txt")
        } _: { remote, _ in
            try await remote.login().succeeded()
            #expect(try await remote.read("b.txt") == "old")
            try await remote.faults().add(.status(503).on("PUT").always)
            try await remote.write("mine", "b.txt").succeeded()
            try await remote.installation.stopDaemon()
            let daemon = try await remote.installation.readyDaemon(
                crashAfter: SignInCheckpoint.signingOutRecorded.rawValue)
            #expect(try await !remote.attemptLogout(discards: true))
            try await remote.installation.waitForEnd(of: daemon)
            try await remote.eventually("the next daemon has completed it") {
                try await remote.domain()?.state == "signedOut"
            }
            #expect(try await remote.versions().isEmpty)
            #expect(remote.installation.leftovers.isEmpty)
        }
    }

    @Test(
        "a login killed at any step leaves the old or the new state, and after the next one no unknown secret",
        arguments: Sample.shared.of(SignInCheckpoint.allCases.filter { !$0.isOfLogout }, [false, true]))
    func login(step: SignInCheckpoint, isNew: Bool) async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, keyring in
            if !isNew {
                try await remote.login().succeeded()
                #expect(try await remote.read("a.txt") == "content")
                try await remote.changePassword(to: RemoteInstallation.nextPassword)
            }
            try await remote.installation.stopDaemon()
            let password = isNew ? RemoteInstallation.password : RemoteInstallation.nextPassword
            let daemon = try await remote.installation.readyDaemon(crashAfter: step.rawValue)
            #expect(try await !remote.attemptLogin(password: password), "\(step): there was no daemon to answer")
            try await remote.installation.waitForEnd(of: daemon)

            let domain = try await remote.domain()
            let secret = try await keyring.secret()
            switch step {
            case .loginTaken:
                #expect((domain == nil) == isNew)
                #expect(secret == (isNew ? nil : RemoteInstallation.password))
            case .secretStored: #expect((domain == nil) == isNew)
            default:
                #expect(secret == password)
                #expect(try await remote.read("a.txt") == "content")
            }
            try await remote.login(password: password).succeeded()
            #expect(try await remote.read("a.txt") == "content")
            try await remote.logout().succeeded()
            #expect(try await keyring.secret() == nil)
        }
    }
}
