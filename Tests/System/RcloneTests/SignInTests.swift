import DocentTestSupport
import FileProvider
import Foundation
import Testing

@testable import Rclone

extension RcloneTests {
    struct SignInTests {
        private func interaction() -> SignInInteraction { SignInInteraction { _ in } }

        private func provider(_ settings: [String: String]) throws -> RcloneProvider {
            let storage = FileManager.default.temporaryDirectory.path + "/rclone-sign-" + UUID().uuidString.prefix(8)
            return try Remote.make(settings.merging(["program": Servers.rclone]) { old, _ in old }, storage)
        }

        private func form(_ identifier: String) throws -> SignInForm {
            try #require(RcloneProvider.signInForms.first { $0.identifier == identifier })
        }

        @Test("a configuration written by rclone signs in; a wrong password is refused")
        func configuration() async throws {
            let url = try await Servers.shared.url("rclone")
            let obscured = try await Servers.run(Servers.rclone, ["obscure", Servers.password]).trimmingCharacters(
                in: .whitespacesAndNewlines)
            func answers(_ password: String) throws -> SignInAnswers {
                let text =
                    "[dav]\ntype = webdav\nurl = \(url)\nvendor = other\nuser = \(Servers.username)\npass = \(password)\n"
                return try SignInAnswers(["remote": "dav:", "configuration": text], to: form("remote"))
            }
            let provider = try provider(["remote": "dav:"])
            let signedIn = try await provider.authenticate(answers(obscured), interaction: interaction())
            let other = try self.provider(["remote": "dav:"])
            #expect(try await code { _ = try await other.children(of: .rootContainer, page: nil) } == .notAuthenticated)
            _ = try await other.signIn(signedIn.credential)
            _ = try await other.children(of: .rootContainer, page: nil)
            await other.signOut()
            #expect(try await code { _ = try await other.children(of: .rootContainer, page: nil) } == .notAuthenticated)
            let wrong = try await Servers.run(Servers.rclone, ["obscure", "hush-wrong"]).trimmingCharacters(
                in: .whitespacesAndNewlines)
            #expect(
                try await code { _ = try await provider.authenticate(answers(wrong), interaction: interaction()) }
                    == .notAuthenticated)
        }

        @Test("the parameters of a back end sign in, with the secrets separate")
        func parameters() async throws {
            let url = try await Servers.shared.url("rclone")
            let settings = ["backend": "webdav", "parameters": "url=\(url),vendor=other,user=\(Servers.username)"]
            let provider = try provider(settings)
            let answers = try SignInAnswers(
                settings.merging(["secrets": "pass=\(Servers.password)"]) { old, _ in old }, to: form("service"))
            let signedIn = try await provider.authenticate(answers, interaction: interaction())
            #expect(!answers.settings.values.contains { $0.contains(Servers.password) })
            let other = try self.provider(settings)
            _ = try await other.signIn(signedIn.credential)
            #expect(try await other.item(for: .rootContainer).isFolder)
        }

        @Test("every form asks which rclone to use, and uses it at once")
        func program() async throws {
            for form in RcloneProvider.signInForms {
                #expect(form.fields.contains { $0.key == "program" && $0.isOptional })
            }
            let provider = try provider(["backend": "memory"])
            func answers(_ program: String) throws -> SignInAnswers {
                try SignInAnswers(
                    ["backend": "memory", "secrets": "description=x", "program": program], to: form("service"))
            }
            #expect(
                try await code { _ = try await provider.authenticate(answers("rclone"), interaction: interaction()) }
                    == .invalidArgument)
            #expect(
                try await code {
                    _ = try await provider.authenticate(answers("/nowhere/rclone"), interaction: interaction())
                } != nil)
            let signedIn = try await provider.authenticate(answers(Servers.rclone), interaction: interaction())
            #expect(signedIn.settings?["program"] == Servers.rclone)
        }

        @Test("the output of the user's own `rclone config dump` signs in, passwords included")
        func dump() async throws {
            let url = try await Servers.shared.url("rclone")
            let folder = FileManager.default.temporaryDirectory.path + "/rclone-own-" + UUID().uuidString.prefix(8)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let own = ["--config", folder + "/rclone.conf", "config"]
            for name in ["dav", "spare"] {
                _ = try await Servers.run(
                    Servers.rclone,
                    own + [
                        "create", name, "webdav", "url=\(url)", "vendor=other", "user=\(Servers.username)",
                        "pass=\(Servers.password)", "--obscure",
                    ])
            }
            let shown = try await Servers.run(Servers.rclone, own + ["show", "dav"])
            let dumped = try await Servers.run(Servers.rclone, own + ["dump"])
            let provider = try provider(["remote": "dav:"])
            func answers(_ text: String) throws -> SignInAnswers {
                try SignInAnswers(["remote": "dav:", "configuration": text], to: form("remote"))
            }
            if shown.contains("***") {
                #expect(
                    try await code { _ = try await provider.authenticate(answers(shown), interaction: interaction()) }
                        == .invalidArgument)
            }
            let signedIn = try await provider.authenticate(answers(dumped), interaction: interaction())
            #expect(signedIn.credential.secret?.contains("\"spare\"") == false)
            let other = try self.provider(["remote": "dav:"])
            _ = try await other.signIn(signedIn.credential)
            _ = try await other.children(of: .rootContainer, page: nil)
        }

        @Test("a configuration without the remote's section is refused")
        func otherSection() async throws {
            let provider = try provider(["remote": "a:"])
            let answers = try SignInAnswers(
                ["remote": "a:", "configuration": "[b]\ntype = memory"], to: form("remote"))
            #expect(
                try await code { _ = try await provider.authenticate(answers, interaction: interaction()) }
                    == .invalidArgument)
        }
    }
}
