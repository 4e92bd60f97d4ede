import DriveS3
import DriveStore
package import FileProvider

extension DriveProvider {
    /// Creating a drive, and opening one with its recovery phrase.
    package static var signInForms: [SignInForm] { [DriveForms.create, DriveForms.recover] }

    /// Creates a drive, or gets the keys of one.
    package func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        var access: S3Credential?
        if let accessKey = answers["accessKey"], let secretKey = answers["secretKey"] {
            access = S3Credential(accessKey: accessKey, secretKey: secretKey)
        }
        try checkFolder()
        let store = try store(access)
        let keys: DriveKeys
        if answers.form.identifier == DriveForms.recover.identifier {
            let phrase = try Self.phrase(answers["phrase"] ?? "")
            keys = try await refusing { () async throws(DriveError) in try await DriveSetup.recover(phrase, from: store)
            }
        } else {
            // Before a person writes a phrase down: is the place free, and the access key right?
            let isTaken = try await refusing { () async throws(DriveError) in
                try await store.get(StoreNames.format) != nil
            }
            guard !isTaken else {
                throw FileProviderError(
                    .invalidArgument, "There is a drive in that place. Open it with its recovery phrase.")
            }
            let phrase = RecoveryPhrase.new()
            try await interaction.message(
                "The recovery phrase of the drive is \(phrase.text). Write it down and keep it where you keep papers: "
                    + "it opens the drive when no machine of yours is left, and is never shown again.")
            if interaction.answersQuestions { try await check(phrase, interaction) }
            keys = try await refusing { () async throws(DriveError) in
                try await DriveSetup.create(in: store, phrase: phrase)
            }
        }
        let device = try drive { () throws(DriveError) in try DeviceKeys() }
        return SignedIn(
            credential: DriveCredential(keys: keys, device: device, access: access).credential,
            settings: answers.settings)
    }

    private func check(_ phrase: RecoveryPhrase, _ interaction: SignInInteraction) async throws {
        for _ in 0..<5 {
            let typed = try await interaction.ask(DriveForms.again, within: .seconds(900))
            var problem = "That is another phrase."
            do throws(DriveError) {
                if try RecoveryPhrase(typed) == phrase { return }
            } catch {
                problem = error.explanation
            }
            try await interaction.message(problem)
        }
        throw FileProviderError(.notAuthenticated, "The recovery phrase was not repeated. No drive was created.")
    }

    private static func phrase(_ text: String) throws -> RecoveryPhrase {
        do throws(DriveError) { return try RecoveryPhrase(text) } catch {
            throw FileProviderError(.invalidArgument, error.explanation)
        }
    }

    /// A wrong answer is the person's to correct, not an item that is gone.
    private func refusing<Value: Sendable>(_ body: () async throws(DriveError) -> Value) async throws -> Value {
        do throws(DriveError) { return try await body() } catch {
            if case .invalid(let text) = error { throw FileProviderError(.invalidArgument, text) }
            throw Self.error(error)
        }
    }
}
