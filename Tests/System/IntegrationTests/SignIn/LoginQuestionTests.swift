import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A provider's questions during sign-in, and multi-line answers, end to end.
@Suite(.needs(.daemon)) struct LoginQuestionTests {
    private static let bundle = "org.example.Asker"
    private static let code = "hush-onetime4a"
    private static let key = "-----BEGIN KEY-----\nhush-keyline9b\n-----END KEY-----\n"
    private let docent = Installation.binaries + "/docent"

    private func with(
        _ principal: String = "QuestionProbe", _ body: (Installation) async throws -> Void
    ) async throws {
        try await Installation.with(environment: ["DOCENT_FRESH_SECONDS": "0"], localFolder: false) { installation in
            let manifest: [String: Any] = [
                "CFBundleIdentifier": "\(Self.bundle).FileProvider", "CFBundleDisplayName": "Asker",
                "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "libKeychainProbe.so",
                "NSExtension": [
                    "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                    "NSExtensionPrincipalClass": "KeychainProbe.\(principal)",
                    "NSExtensionFileProviderDocumentGroup": "group.\(Self.bundle)",
                    "NSExtensionFileProviderSupportsEnumeration": true,
                ],
                "com.apple.security.application-groups": ["group.\(Self.bundle)"],
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
            try data.write(to: URL(fileURLWithPath: "\(installation.manifests)/\(Self.bundle).FileProvider.plist"))
            try Data(Self.key.utf8).write(to: URL(fileURLWithPath: installation.given + "/key"))
            try Data((Self.code + "\n").utf8).write(to: URL(fileURLWithPath: installation.given + "/code"))
            try await installation.run(docent, ["provider", "enable", Self.bundle, "--yes"]).succeeded()
            try await body(installation)
        }
    }

    private func words(_ installation: Installation, _ play: String, _ more: String...) -> [String] {
        [
            "login", "asker", "--session", "--set", "play=\(play)", "--set-file",
            "privateKey=\(installation.given)/key",
        ] + more
    }

    private func settings(_ installation: Installation) async throws -> [String: String] {
        let outcome = try await installation.docent("domains", "show", "asker", "--json").succeeded()
        let record = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        return try #require(record?["settings"] as? [String: String])
    }

    @Test(
        "questions are answered on the terminal, escaped and without echo of secrets, or by options, files, standard input and a program; a key can be pasted; \"no\" is final, and ^C ends with 7"
    )
    func answers() async throws {
        try await with { installation in
            try await TestStep.run("terminal") { try await terminal(installation) }
            // Its login has no questions: it removes the answers from the settings.
            try await TestStep.run("pasted") { try await pasted(installation) }
            try await TestStep.run("no terminal") { try await noTerminal(installation) }
        }
    }

    /// They are asked on the terminal, escaped, secrets without echo; "no" is final, and no question is repeated.
    private func terminal(_ installation: Installation) async throws {
        let steps: [(shown: String, action: Installation.TerminalAction)] = [
            ("[yes/no] ", .type("maybe\n")), ("Type yes or no.\r\nIs it the right key? [yes/no] ", .type("y\n")),
            ("Nickname [ada]: ", .type("\n")), ("One-time code: ", .type(Self.code + "\n")),
        ]
        let outcome = try await installation.onTerminal(
            [docent] + words(installation, "all", "--set", "notes=x"), steps)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(
            outcome.text.contains("asker asks:\r\n  host\\x1B[2J.example\r\n  SHA256:abcdef\r\n"), "\(outcome.text)"
        )
        #expect(!outcome.text.contains(Self.code) && !outcome.text.contains("\u{1B}[2J"), "\(outcome.text)")
        let known = try await settings(installation)
        #expect(known["answers"] == "ada \(String(Self.code.reversed()))")
        #expect(known["keyLines"] == "3" && known["keyEnd"] == "line feed")

        let declined = try await installation.onTerminal(
            [docent] + words(installation, "all", "--set", "notes=x"), [("[yes/no] ", .type("no\n"))])
        #expect(declined.status == 4 && declined.text.contains("did not accept"), "\(declined.text)")
    }

    /// A key is pasted or named as a file; ^C at a question ends with 7, and another login can follow.
    private func pasted(_ installation: Installation) async throws {
        let base = [docent, "login", "asker", "--session", "--set", "play=nothing", "--set", "notes=x"]
        let pasted = try await installation.onTerminal(
            base, [("on a line of its own:", .type(Self.key + "\u{04}"))])
        #expect(pasted.status == 0, "\(pasted.text)")
        #expect(!pasted.text.contains("hush-keyline9b"), "\(pasted.text)")
        #expect(try await settings(installation)["keyLines"] == "3")
        let named = try await installation.onTerminal(
            base, [("on a line of its own:", .type("@\(installation.given)/key\n"))])
        #expect(named.status == 0, "\(named.text)")
        #expect(try await settings(installation)["keyEnd"] == "line feed")

        let interrupted = try await installation.onTerminal(
            [docent] + words(installation, "all", "--set", "notes=x"), [("[yes/no] ", .type("\u{03}"))])
        #expect(interrupted.status == 7, "\(interrupted.text)")
        try await installation.run(docent, words(installation, "nothing")).succeeded()
    }

    /// Without a terminal, options, files, standard input and a program give the answers; otherwise the question stays
    /// unanswered.
    private func noTerminal(_ installation: Installation) async throws {
        func login(_ play: String, _ more: [String], input: String? = nil) async throws -> Outcome {
            let words = [docent] + words(installation, play) + more
            return try await installation.run(
                words[0], Array(words.dropFirst()), input: input.map { Data($0.utf8) })
        }
        let nobody = try await login("all", [])
        #expect(nobody.status == 4 && nobody.errors.contains("--set hostKey=yes"), "\(nobody.errors)")
        let refused = try await login("all", ["--set", "hostKey=no"])
        #expect(refused.status == 4 && refused.errors.contains("did not accept"), "\(refused.errors)")
        let argument = try await login("all", ["--set", "code=\(Self.code)"])
        #expect(argument.status == 64 && !argument.errors.contains(Self.code), "\(argument.errors)")
        let wrong = try await login("all", ["--set", "hostKey=perhaps"])
        #expect(wrong.status == 64, "\(wrong.errors)")

        let file = ["--set-file", "code=\(installation.given)/code"]
        try await login("all", ["--set", "hostKey=yes", "--askpass", "/usr/bin/true"] + file).succeeded()
        #expect(try await settings(installation)["answers"] == "ada \(String(Self.code.reversed()))")
    }

    @Test("a provider may continue without an answer, die while it asks, ask too early or too much; each ends cleanly")
    func trouble() async throws {
        try await with { installation in
            func login(_ play: String, _ more: [String] = []) async throws -> Outcome {
                try await installation.run(docent, words(installation, play) + more)
            }
            try await login("optional").succeeded()
            #expect(try await settings(installation)["answers"] == "\"Nickname\" was not answered.")

            let many = try await login("many", ["--askpass", "/usr/bin/echo"])
            #expect(many.status != 0 && many.errors.contains("At most 16 questions"), "\(many.errors)")

            let soon = try await installation.onTerminal([docent] + words(installation, "soon", "--set", "notes=x"))
            #expect(soon.status == 4 && soon.text.contains("was not answered within"), "\(soon.text)")

            let command = ([docent] + words(installation, "die", "--set", "notes=x")).joined(separator: " ")
            let died = try await installation.onTerminal(
                ["/bin/sh", "-c", "\(command); echo \"code $?\"; stty -a"],
                [("One-time code: ", .type("hush-unfin77"))])
            #expect(died.text.contains("code 5") || died.text.contains("code 1"), "\(died.text)")
            let modes = died.text.split(whereSeparator: { " ;\r\n".contains($0) })
            #expect(modes.contains("echo") && !modes.contains("-echo"), "\(died.text)")
        }
    }

    @Test("the default domain of a provider without sign-in has settings, which a running provider gets at once")
    func settingsWithoutSignIn() async throws {
        try await with("SettingsProbe") { installation in
            #expect(try await installation.docent("ls", "asker:/").succeeded().text.isEmpty)
            try await installation.docent("domains", "set", "asker", "--set", "root=pictures").succeeded()
            #expect(try await installation.docent("ls", "asker:/").succeeded().text.contains("pictures"))
            #expect(try await settings(installation) == ["root": "pictures"])
            try await installation.docent("domains", "set", "asker", "--set", "root=music").succeeded()
            #expect(try await installation.docent("ls", "asker:/").succeeded().text.contains("music"))
            try await installation.docent("domains", "set", "asker", "--set", "root=").succeeded()
            #expect(try await installation.docent("ls", "asker:/").succeeded().text.isEmpty)
            let forms = try await installation.run(docent, ["provider", "forms", "asker"])
            #expect(forms.status != 0 && forms.errors.contains("needs no sign-in"), "\(forms.errors)")
            #expect(try await installation.docent("domains", "set", "asker", "none", "--set", "root=x").status == 2)
        }
    }
}
