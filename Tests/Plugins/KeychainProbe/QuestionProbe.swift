import FileProvider
import Foundation

/// A provider without documents that asks questions during sign-in, selected by the answer to `play`, for tests.
/// Secrets that it repeats are reversed, so that they are not mistaken for leaked ones.
final class QuestionProbe: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.signIn] }

    static var signInForms: [SignInForm] {
        [
            SignInForm(
                identifier: "key", title: "With a key",
                fields: [
                    SignInField("play", label: "Play", value: "nothing"),
                    SignInField("privateKey", label: "Private key", kind: .secret, isMultiline: true),
                    SignInField("notes", label: "Notes", isOptional: true, isMultiline: true),
                ],
                questions: [
                    SignInField("hostKey", label: "Is it the right key?", kind: .confirm),
                    SignInField("code", label: "One-time code", kind: .secret),
                ])
        ]
    }

    init(domain: FileProviderDomain, host: FileProviderHost) throws {}

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        guard identifier == .rootContainer else { throw FileProviderError(.noSuchItem, "There is no such document.") }
        return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: "QuestionProbe")
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func signIn(_ credential: Credential) async throws -> String? { nil }

    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        var settings = answers.settings
        settings["keyLines"] = String((answers["privateKey"] ?? "").split(separator: "\n").count)
        settings["keyEnd"] = (answers["privateKey"] ?? "").hasSuffix("\n") ? "line feed" : "none"
        switch answers["play"] {
        case "all": settings["answers"] = try await askAll(interaction)
        case "optional":
            do {
                settings["answers"] = try await interaction.ask(SignInField("nick", label: "Nickname"))
            } catch let error as FileProviderError where error.code == .notAuthenticated {
                settings["answers"] = error.message
            }
        case "die":
            Task.detached {
                try await Task.sleep(for: .milliseconds(700))
                // In a sandbox it cannot send itself a signal.
                _exit(3)
            }
            _ = try await interaction.ask(SignInField("code", label: "One-time code", kind: .secret))
        case "soon": _ = try await interaction.ask(SignInField("slow", label: "Quickly"), within: .seconds(1))
        case "many":
            for _ in 0..<100 { _ = try await interaction.ask(SignInField("again", label: "Again", value: "x")) }
        default: break
        }
        return SignedIn(
            credential: Credential(kind: .token, secret: answers["privateKey"]), displayName: nil, settings: settings)
    }

    private func askAll(_ interaction: SignInInteraction) async throws -> String {
        let isRight = try await interaction.confirm(
            "hostKey", "Is it the right key?", help: "host\u{1B}[2J.example\nSHA256:abcdef")
        guard isRight else { throw FileProviderError(.notAuthenticated, "You did not accept the key of the host.") }
        let name = try await interaction.ask(SignInField("nick", label: "Nickname", value: "ada"))
        let code = try await interaction.ask(SignInField("code", label: "One-time code", kind: .secret))
        return "\(name) \(String(code.reversed()))"
    }
}
