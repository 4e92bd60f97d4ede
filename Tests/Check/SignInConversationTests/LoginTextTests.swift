import DocentInterfaces
import Documents
import Testing

@testable import SignInConversation

/// Texts of `docent login`.
@Suite struct LoginTextTests {
    private func storage(_ rung: String, remedy: String? = nil) -> Wire.CredentialStorage {
        Wire.CredentialStorage(
            rung: rung, name: "the place", isWritable: rung != "none", protection: "It is protected.",
            reason: "There is no bus.", remedy: remedy)
    }

    @Test("the place of the secret is named with its protection, and with the reason if it is not the keyring")
    func storageText() {
        #expect(
            LoginText.storage(storage("secretService")) == "The secret will be kept in the place.\n  It is protected.\n"
        )
        #expect(
            LoginText.storage(storage("sealedFile", remedy: "Start one.")) == """
                The secret will be kept in the place.
                  It is protected.
                  There is no bus.
                  For a better place: Start one.

                """)
    }

    @Test("without any place the error is unavailable, and names every remedy")
    func noStorage() {
        for remedy in [nil, "Do this."] {
            let error = LoginText.noStorage(storage("none", remedy: remedy))
            #expect(error.code == .unavailable && error.message.contains("There is no bus."))
            for way in ["sealed file", "--credential", "--session", "can read the secret"] {
                #expect(error.suggestion?.contains(way) == true, "\(way)")
            }
            #expect(error.suggestion?.hasPrefix(remedy ?? "Start and unlock a keyring") == true)
        }
    }

    @Test("A code is shown with its address, each on its own line, and neither can control the terminal")
    func steps() {
        let code = LoginText.step(
            .init(
                kind: "code", url: "https://id/device", userCode: "AB\u{1B}CD", completeURL: "https://id/device?c=1"),
            isOpened: false)
        #expect(code.contains("\n    https://id/device\n") && code.contains("\n    AB\\x1BCD\n"))
        #expect(code.contains("\n    https://id/device?c=1\n"))
        let open = Wire.SignInStep(kind: "open", url: "https://id/authorize")
        #expect(LoginText.step(open, isOpened: true).contains("was opened"))
        #expect(!LoginText.step(open, isOpened: false).contains("was opened"))
        #expect(LoginText.step(open, isOpened: false).contains("\n    https://id/authorize\n"))
        #expect(
            LoginText.step(.init(kind: "message", message: "Look at your phone."), isOpened: false)
                == "Look at your phone.\n")
        #expect(LoginText.waiting("Waiting", seconds: 3, left: 61) == "Waiting, 1 min 1 s left")
        #expect(LoginText.waiting("Waiting", seconds: 3, left: nil) == "Waiting  3 s")
    }
}
