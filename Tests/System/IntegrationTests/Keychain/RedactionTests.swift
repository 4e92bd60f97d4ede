import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A provider that prints its password everywhere it can, through a real daemon.
@Suite(.needs(.daemon, .keyring, within: .seconds(300))) struct RedactionTests {
    private static let bundle = "org.example.Babbler"
    private static let secret = "hush-babble+4e/91"

    /// Enabled, with a signed-in domain.
    private static func with(_ body: (KeychainStage) async throws -> Void) async throws {
        try await KeychainStage.with { stage in
            try await stage.install(bundle, groups: ["org.example.g"])
            let file = stage.installation.given + "/password"
            try Data("\(secret)\n".utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, 0o600)
            try await stage.installation.docent(
                "domains", "add", bundle, "work", "--url", "https://h.example/", "--username", "ada",
                "--password-file", file
            ).succeeded()
            // It really has the secret, so that it could reveal it.
            #expect(try await stage.tell(bundle, "known", domain: "work") == KeychainStage.backwards(secret))
            try await body(stage)
        }
    }

    private static func isClean(_ text: String) -> Bool {
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let forms = [
            secret, escaped, Data(secret.utf8).base64EncodedString(), Data("ada:\(secret)".utf8).base64EncodedString(),
        ]
        return !forms.contains(where: text.contains)
    }

    @Test(
        "Errors, the log and states show no secret of a provider, no forged line, and every ordinary word; a secret read from the keychain is redacted like the password"
    )
    func redacted() async throws {
        try await Self.with { stage in
            // First, because the log may then contain the texts of other steps. Together they write fewer lines than
            // the log takes of one kind in ten seconds.
            try await TestStep.run("log") { try await Self.log(stage) }
            try await TestStep.run("forged line") { try await Self.forgedLine(stage) }
            try await TestStep.run("errors") { try await Self.errors(stage) }
            try await TestStep.run("words") { try await Self.words(stage) }
            try await TestStep.run("keychain") { try await Self.keychain(stage) }
            // From here on its domain refuses everything.
            try await TestStep.run("states") { try await Self.states(stage) }
        }
    }

    /// An error's message and causes reach a client without the secret, in any form.
    private static func errors(_ stage: KeychainStage) async throws {
        let location = "\(Self.bundle)@work:/fp~say~throw"
        for arguments in [["info", location], ["info", "--json", location], ["cat", location]] {
            let outcome = try await stage.installation.run(Installation.binaries + "/docent", arguments)
            let said = outcome.text + outcome.errors
            #expect(Self.isClean(said) && said.contains("plain ‹secret›"), "\(arguments): \(said)")
        }
    }

    /// A log line is written without the secret.
    private static func log(_ stage: KeychainStage) async throws {
        _ = try await stage.tell(Self.bundle, "say", "log", domain: "work")
        try await stage.installation.eventually("the line is in the log") {
            stage.installation.read(stage.installation.log)?.contains("Basic ‹secret›") == true
        }
        #expect(Self.isClean(stage.installation.read(stage.installation.log) ?? ""))
    }

    /// A provider's text stays within its line of the log, named as the provider's, and shows no control character.
    private static func forgedLine(_ stage: KeychainStage) async throws {
        _ = try await stage.tell(Self.bundle, "say", "forge", domain: "work")
        try await stage.installation.eventually("the line is in the log") {
            let log = stage.installation.read(stage.installation.log) ?? ""
            return log.contains("forged=yes") && log.hasSuffix("\n")
        }
        let log = stage.installation.read(stage.installation.log) ?? ""
        #expect(!log.unicodeScalars.contains("\u{1B}") && !log.unicodeScalars.contains("\u{9B}"))
        let lines = log.split(whereSeparator: \.isNewline).filter { $0.contains("forged=yes") }
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line.contains("provider says") && line.contains("provider=\(Self.bundle)"))
        #expect(
            line.contains(
                #""said \r\n2026-01-01T00:00:00+0000 error docentd: forged=yes [docentd] "#
                    + #"\u{1B}[2J\u{9B}31m\u{7}\u{2028}\u{85}end""#), "\(line)")
    }

    @Test("Output before a crash appears without the secret in status, doctor, log and the next error")
    func crashes() async throws {
        try await Self.with { stage in
            for _ in 0..<6 { _ = try await stage.tell(Self.bundle, "say", "crash", domain: "work") }
            var said = stage.installation.read(stage.installation.log) ?? ""
            for arguments in [
                ["daemon", "status"], ["daemon", "status", "--json"], ["doctor"], ["providers"],
                ["ls", Self.bundle + ":/"],
            ] {
                let outcome = try await stage.installation.run(Installation.binaries + "/docent", arguments)
                said += outcome.text + outcome.errors
            }
            #expect(Self.isClean(said))
            #expect(said.contains("‹secret›"), "its output is logged at all: \(said.suffix(4000))")
        }
    }

    /// The state of a domain contains no secret when the provider puts the password into its reason.
    private static func states(_ stage: KeychainStage) async throws {
        #expect(try await stage.tell(Self.bundle, "say", "refuse", domain: "work") == "refuses")
        let refused = try await stage.installation.docent("ls", "\(Self.bundle)@work:/")
        #expect(refused.status == 4, "\(refused)")
        var said = refused.text + refused.errors
        for arguments in [["domains", "list"], ["domains", "list", "--json"], ["doctor"], ["transfers"]] {
            let outcome = try await stage.installation.run(Installation.binaries + "/docent", arguments)
            said += outcome.text + outcome.errors
        }
        #expect(Self.isClean(said) && said.contains("‹secret›"), "\(said)")
    }

    /// A value that the keychain refused is not redacted, nor is an ordinary word that was stored.
    private static func words(_ stage: KeychainStage) async throws {
        let refused = "plain-word-4711"
        let answer = try await stage.tell(
            Self.bundle, "store", "org.example.others", "", "a", KeychainStage.backwards(refused))
        #expect(answer.hasPrefix("[failed"), "\(answer)")
        let word = "docent provider"
        #expect(try await stage.tell(Self.bundle, "store", "", "", "b", KeychainStage.backwards(word)) == "stored")
        for text in [refused, "no " + word] {
            let said = try await stage.installation.docent("info", "\(Self.bundle):/fp~lookUp~\(text)~d~a")
            #expect(
                (said.text + said.errors).contains(text) && !said.errors.contains("‹secret›"), "\(text): \(said)")
        }
    }

    /// A secret read from the keychain is redacted like the password.
    private static func keychain(_ stage: KeychainStage) async throws {
        let other = "hush-kept-9c41"
        #expect(
            try await stage.tell(Self.bundle, "store", "", "", "a", KeychainStage.backwards(other)) == "stored")
        // As the name of a group in an error, an unexpected place.
        let answer = try await stage.installation.docent("info", "\(Self.bundle):/fp~store~\(other)~d~a~x")
        #expect(!(answer.text + answer.errors).contains(other) && answer.errors.contains("‹secret›"), "\(answer)")
    }
}
