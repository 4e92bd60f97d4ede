import DriveS3
import DriveStore
package import FileProvider

extension DriveProvider {
    /// Creating a drive, opening one with its recovery phrase, and joining one with a code.
    package static var signInForms: [SignInForm] { [DriveForms.create, DriveForms.recover, DriveForms.join] }

    /// Creates a drive, or gets the keys of one.
    package func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        var access: S3Credential?
        if let accessKey = answers["accessKey"], let secretKey = answers["secretKey"] {
            access = S3Credential(accessKey: accessKey, secretKey: secretKey)
        }
        try checkFolder()
        let store = try store(access)
        let device = try drive { () throws(DriveError) in try DeviceKeys() }
        var view: [DriveDevice.HeadView] = []
        let keys: DriveKeys
        if answers.form.identifier == DriveForms.join.identifier {
            (keys, view) = try await join(answers["code"] ?? "", store, as: device, interaction)
        } else if answers.form.identifier == DriveForms.recover.identifier {
            let phrase = try Self.phrase(answers["phrase"] ?? "")
            keys = try await refusing { () async throws(DriveError) in try await DriveSetup.recover(phrase, from: store)
            }
        } else {
            // Before a person writes a phrase down: is the place free, and the access key right?
            try await refusing { () async throws(DriveError) in try await DriveSetup.requireFree(store) }
            let phrase = RecoveryPhrase.new()
            try await interaction.message(
                "The recovery phrase of the drive is \(phrase.text). Write it down and keep it where you keep papers: "
                    + "it opens the drive when no machine of yours is left, and is never shown again.")
            if interaction.answersQuestions { try await check(phrase, interaction) }
            keys = try await refusing { () async throws(DriveError) in
                try await DriveSetup.create(in: store, phrase: phrase)
            }
        }
        return SignedIn(
            credential: DriveCredential(keys: keys, device: device, access: access, view: view).credential,
            settings: answers.settings)
    }

    /// Asks a machine that is in the drive to let this one in, and waits until a person agrees there.
    private func join(
        _ code: String, _ store: any ObjectStore, as device: DeviceKeys, _ interaction: SignInInteraction
    ) async throws -> (keys: DriveKeys, view: [DriveDevice.HeadView]) {
        let name = deviceName
        let (invitation, expires) = try await refusing { () async throws(DriveError) in
            _ = try await DriveSetup.identify(store)
            let invitation = try Invitation(code)
            try await invitation.ask(store, name: name, as: device)
            return (invitation, try await invitation.expiry(store) ?? 0)
        }
        try await interaction.message(
            "Waiting to be let in: the machine that made the code asks whether \"\(name)\" may come in.")
        do {
            let answer = try await wait(for: invitation, store, as: device, until: expires, interaction)
            // An invitation that is left over opens nothing for anybody.
            try? await invitation.clear(store)
            return answer
        } catch {
            let error = error
            // Also when this task was cancelled: the code can be used again then.
            await Task { try? await invitation.withdraw(store) }.value
            throw error
        }
    }

    private func wait(
        for invitation: Invitation, _ store: any ObjectStore, as device: DeviceKeys, until expires: Int64,
        _ interaction: SignInInteraction
    ) async throws -> (keys: DriveKeys, view: [DriveDevice.HeadView]) {
        var told = ContinuousClock.now
        while true {
            var isOpen = true
            do {
                let found = try await refusing { () async throws(DriveError) in
                    try await invitation.answer(store, to: device)
                }
                if let found { return found }
                isOpen = try await refusing { () async throws(DriveError) in try await invitation.expiry(store) != nil }
            } catch let error as FileProviderError where error.code == .serverUnreachable {
                // It may be back in a moment; the invitation ends in any case.
            }
            let left = expires - DriveClock.milliseconds()
            guard isOpen, left > 0 else {
                throw FileProviderError(
                    .notAuthenticated, "This machine was not let in. Make a new code with `docent drive invite`.")
            }
            if ContinuousClock.now - told > .seconds(25) {
                // Each message extends the time that the attempt may take.
                try await interaction.message("Still waiting, for \(left / 60_000 + 1) min at most.")
                told = .now
            }
            try await Task.sleep(for: .seconds(1))
        }
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
