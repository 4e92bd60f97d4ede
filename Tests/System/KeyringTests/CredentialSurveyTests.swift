import DocentTestSupport
import Testing

@testable import Keyring

/// The rung for a new secret, and its description for the user. Pure.
@Suite(.needs(.programs)) struct CredentialSurveyTests {
    private func survey(_ states: [CredentialRung: RungState], isSealedFileOn: Bool = false) -> CredentialSurvey {
        var all = Dictionary(uniqueKeysWithValues: CredentialRung.allCases.map { ($0, RungState.absent("not here")) })
        all[.sealedFile] = .usable
        all.merge(states) { _, new in new }
        return CredentialSurvey(
            states: all, keyringName: "KeePassXC, collection Home", encryptedPath: "/d/credentials.keyring",
            sealedPath: "/d/credentials.sealed", isSealedFileOn: isSealedFileOn)
    }

    private struct Choice: Sendable {
        var states: [CredentialRung: RungState]
        var agreed: Bool
        var rung: CredentialRung?
    }

    private static let choices: [Choice] = [
        Choice(states: [.secretService: .usable, .encryptedFile: .usable], agreed: true, rung: .secretService),
        Choice(states: [.secretService: .locked, .encryptedFile: .usable], agreed: true, rung: .secretService),
        Choice(states: [.encryptedFile: .usable, .systemd: .usable], agreed: true, rung: .encryptedFile),
        Choice(states: [.systemd: .usable], agreed: true, rung: .sealedFile),
        Choice(states: [.systemd: .usable], agreed: false, rung: .systemd),
        Choice(states: [:], agreed: true, rung: .sealedFile),
        Choice(states: [:], agreed: false, rung: nil),
        Choice(states: [.sealedFile: .absent("damaged")], agreed: true, rung: nil),
    ]

    @Test(
        "the first writable rung is chosen; a locked one counts, the sealed file only with consent"
    )
    func choice() {
        for choice in Self.choices {
            let storage = survey(choice.states).storage(allowingSealedFile: choice.agreed)
            #expect(storage.rung == choice.rung, "\(choice)")
            #expect(storage.isWritable == (choice.rung != nil && choice.rung != .systemd))
            #expect(storage.isLocked == (choice.states[.secretService] == .locked))
        }
        #expect(survey([:], isSealedFileOn: true).storage(allowingSealedFile: false).rung == .sealedFile)
    }

    @Test("every choice is described to the user: what it is, what protects it, why, and what would be better")
    func sentences() throws {
        for choice in Self.choices {
            let storage = survey(choice.states).storage(allowingSealedFile: choice.agreed)
            for text in [storage.name, storage.protection] { #expect(!text.isEmpty) }
            for text in [storage.protection, storage.reason, storage.remedy ?? "."] {
                #expect(text.isEmpty || text.hasSuffix("."), "\(text)")
            }
            if choice.rung != .secretService {
                #expect(storage.reason.contains("Secret Service: not here."), "\(storage.reason)")
            }
            if choice.rung == nil || choice.rung == .sealedFile || choice.rung == .systemd {
                #expect(storage.remedy?.contains("gnome-keyring-daemon") == true)
            }
        }
        let sealed = survey([:]).storage(allowingSealedFile: true)
        #expect(sealed.protection.contains("the key is beside the file"), "its risk is stated")
        #expect(
            survey([.secretService: .usable]).storage(allowingSealedFile: false).name == "KeePassXC, collection Home")
        #expect(KeyringIdentity.program("gnome-keyring-d") == "GNOME keyring")
        #expect(KeyringIdentity.program("something") == "Secret Service")
    }
}
