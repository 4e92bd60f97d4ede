import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Testing

@testable import DocentCommands

/// Texts of `docent login`, `docent logout` and `docent domains`.
@Suite struct SignInTextTests {
    private let work = AccountName(provider: "webdav", domain: "work")

    private func storage(_ rung: String, remedy: String? = nil) -> Wire.CredentialStorage {
        Wire.CredentialStorage(
            rung: rung, name: "the place", isWritable: rung != "none", protection: "It is protected.",
            reason: "There is no bus.", remedy: remedy)
    }

    @Test("Logout says what was kept and how to restore it, what was dropped, and how to log in again")
    func logout() {
        let plain = LogoutText.done(work, .init())
        #expect(plain.contains("webdav@work is signed out") && plain.contains("`docent login webdav@work`"))
        #expect(!plain.contains("versions") && !plain.contains("dropped"))
        let kept = LogoutText.done(work, .init(kept: [Samples.version], openDescriptors: 2))
        #expect(kept.contains("1 change was not sent, and kept:\n  9  a.txt  1.5 kB\n"))
        #expect(kept.contains("docent versions restore ID LOCATION") && kept.contains("old content: 2\n"))
        #expect(LogoutText.done(work, .init(discarded: 3)).contains("3 changes were dropped.\n"))
        let many = LogoutText.done(work, .init(kept: [Wire.Version](repeating: Samples.version, count: 25)))
        #expect(many.contains("25 changes were not sent") && many.contains("  and 5 more\n"))
        #expect(LogoutText.already(work).contains("already signed out"))
    }

    @Test("the documents whose changes would be dropped are named, and the second question has their count")
    func questions() {
        let questions = LogoutText.questions(work, waiting: 2, names: ["a.txt", "b\u{1B}.txt"])
        #expect(questions.first == "  a.txt\n  b\\x1B.txt\nSign out of webdav@work, and drop its unsent changes?")
        #expect(questions.second.contains("2 changes of webdav@work are nowhere else"))
        #expect(
            LogoutText.questions(work, waiting: 1, names: []).second.contains("1 change of webdav@work is nowhere else")
        )
    }

    @Test("a domain that cannot be used shows the command that helps, once")
    func domains() {
        func domain(_ state: String, _ message: String? = nil, pending: Int = 0) -> Wire.Domain {
            Wire.Domain(
                provider: "org.docent.WebDAV", identifier: "work", displayName: "work", state: state, message: message,
                pendingChanges: pending)
        }
        #expect(DomainText.state(domain("signedOut")) == "signed out (docent login org.docent.WebDAV@work)")
        #expect(
            DomainText.state(domain("notAuthenticated", "The password is wrong", pending: 2))
                == "not authenticated, 2 changes waiting: The password is wrong (docent login org.docent.WebDAV@work)")
        #expect(
            DomainText.state(domain("notAuthenticated", "Expired: docent login webdav@work"))
                == "not authenticated: Expired: docent login webdav@work")
        #expect(DomainText.state(domain("signingOut")) == "signing out (docent logout org.docent.WebDAV@work)")
        #expect(DomainText.state(domain("locked", "Unlock the keyring.")) == "locked: Unlock the keyring.")
        #expect(DomainText.state(domain("ready")) == "ready")
    }

    @Test("The records of `docent login --json` and `docent logout --json`")
    func records() {
        #expect(
            JSONValue(storage: storage("sealedFile")).compact
                == #"{"isWritable": true, "name": "the place", "protection": "It is protected.", "reason": "There is no bus.", "remedy": null, "rung": "sealedFile"}"#
        )
        #expect(JSONValue(login: .init()).compact == #"{"domain": null, "storage": null}"#)
        #expect(
            JSONValue(logout: .init(discarded: 2), wasSignedOut: false).compact
                == #"{"discarded": 2, "domain": null, "kept": [], "left": null, "openDescriptors": 0, "undeleted": [], "wasSignedOut": false}"#
        )
    }

    @Test("`docent logout` parses its command line; --yes counts")
    func parsing() throws {
        let command = try #require(
            try Docent.parseAsRoot(["logout", "webdav@work", "--discard", "--yes", "--yes", "--timeout", "5", "--json"])
                as? LogoutCommand)
        #expect(command.account == work && command.discard && command.yes == 2 && command.timeout == 5)
        #expect(throws: (any Error).self) { try Docent.parseAsRoot(["logout", "webdav@work", "--timeout", "-1"]) }
        #expect(throws: (any Error).self) { try Docent.parseAsRoot(["logout", "webdav@work:/a"]) }
    }
}
