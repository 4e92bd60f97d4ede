/// The state of all rungs at one time, and what follows from it. Pure.
package struct CredentialSurvey: Hashable, Sendable {
    /// The state of each rung.
    package var states: [CredentialRung: RungState]
    /// The name of the Secret Service and its collection, for people.
    package var keyringName: String
    /// The absolute path of the encrypted file.
    package var encryptedPath: String
    /// Whether the encrypted file exists.
    package var isEncryptedFileThere: Bool
    /// The absolute path of the sealed file.
    package var sealedPath: String
    /// Whether the user permanently agreed to the sealed file.
    package var isSealedFileOn: Bool
    /// Whether the sealed file exists, with secrets of a login for which the user agreed to it.
    package var isSealedFileThere: Bool

    package init(
        states: [CredentialRung: RungState], keyringName: String = "Secret Service", encryptedPath: String,
        isEncryptedFileThere: Bool = false, sealedPath: String, isSealedFileOn: Bool = false,
        isSealedFileThere: Bool = false
    ) {
        self.states = states
        self.keyringName = keyringName
        self.encryptedPath = encryptedPath
        self.isEncryptedFileThere = isEncryptedFileThere
        self.sealedPath = sealedPath
        self.isSealedFileOn = isSealedFileOn
        self.isSealedFileThere = isSealedFileThere
    }

    /// The state of a rung.
    package func state(of rung: CredentialRung) -> RungState { states[rung] ?? .absent("it was not checked") }

    /// Where a new secret is stored.
    ///
    /// - Parameter allowingSealedFile: whether the user agrees to the last rung.
    package func storage(allowingSealedFile: Bool) -> CredentialStorageState {
        for rung in CredentialRung.allCases {
            guard isChosen(rung, allowingSealedFile: allowingSealedFile) else { continue }
            return CredentialStorageState(
                rung: rung, isLocked: state(of: rung) == .locked, name: name(of: rung), isWritable: rung != .systemd,
                protection: Self.protection(of: rung), reason: reason(for: rung), remedy: remedy(for: rung))
        }
        return CredentialStorageState(
            rung: nil, name: "none", isWritable: false, protection: "Nothing is stored.", reason: reason(for: nil),
            remedy: remedy(for: nil))
    }

    /// Whether there is a file with secrets that cannot be read.
    package var hasUnreadableFile: Bool {
        func isAbsent(_ rung: CredentialRung) -> Bool { if case .absent = state(of: rung) { true } else { false } }
        return (isSealedFileThere && isAbsent(.sealedFile)) || (isEncryptedFileThere && isAbsent(.encryptedFile))
    }

    /// The name of a rung, for people.
    package func name(of rung: CredentialRung) -> String {
        switch rung {
        case .secretService: keyringName
        case .encryptedFile: "encrypted file \(encryptedPath)"
        case .systemd: "systemd credentials"
        case .sealedFile: "sealed file \(sealedPath)"
        }
    }

    /// What protects a secret on a rung, as a sentence.
    package static func protection(of rung: CredentialRung) -> String {
        switch rung {
        case .secretService:
            "The keyring encrypts it with your login or keyring password; while the keyring is unlocked, your other programs can "
                + "read it."
        case .encryptedFile:
            "The file is encrypted with its master password; anyone who can read both the file and the password's file can read the "
                + "secret."
        case .systemd:
            "systemd keeps it in memory for this service only; its source (LoadCredentialEncrypted= or a file) protects "
                + "it at rest."
        case .sealedFile:
            "Only its permissions (0600) protect it: the key is beside the file, so anyone who can read your files, a backup or a "
                + "stolen disk can read the secret."
        }
    }

    /// Why a rung is not used, as a part of a sentence; nil when it can be used.
    package func objection(to rung: CredentialRung, allowingSealedFile: Bool) -> String? {
        switch state(of: rung) {
        case .absent(let why): why.hasSuffix(".") ? String(why.dropLast()) : why
        case .usable where rung == .systemd: "it is read-only"
        case .usable where rung == .sealedFile && !allowingSealedFile && !isSealedFileOn:
            "it is used only when you ask for it (docent login --sealed-file, or DOCENT_SEALED_FILE=1)"
        case .usable, .locked: nil
        }
    }

    private func isChosen(_ rung: CredentialRung, allowingSealedFile: Bool) -> Bool {
        switch rung {
        // If it has the wanted secret, nothing needs to be stored. If something must be stored, the next rung may be
        // able to.
        case .systemd:
            state(of: .systemd) == .usable
                && objection(to: .sealedFile, allowingSealedFile: allowingSealedFile) != nil
        default: objection(to: rung, allowingSealedFile: allowingSealedFile) == nil
        }
    }

    private func reason(for rung: CredentialRung?) -> String {
        switch rung {
        case .secretService:
            state(of: .secretService) == .locked
                ? "A Secret Service answers; it is locked and will be unlocked first." : "A Secret Service answers."
        default:
            CredentialRung.allCases.prefix { $0 != rung }.compactMap { above in
                objection(to: above, allowingSealedFile: false).map { "\(Self.title(of: above)): \($0)." }
            }.joined(separator: " ")
        }
    }

    private func remedy(for rung: CredentialRung?) -> String? {
        let keyring = "start and unlock a keyring (gnome-keyring-daemon --replace --unlock)"
        let file =
            "give the encrypted file a master password (\(MasterPassword.variable), or the systemd credential "
            + "\(MasterPassword.credential))"
        return switch rung {
        case .secretService:
            state(of: .secretService) == .locked ? "Unlock the keyring (gnome-keyring-daemon --replace --unlock)." : nil
        case .encryptedFile: nil
        case .systemd: "To sign in here, \(keyring), or \(file)."
        case .sealedFile: "\(keyring.prefix(1).uppercased() + keyring.dropFirst()), or \(file)."
        case nil:
            (keyring.prefix(1).uppercased() + keyring.dropFirst())
                + ", or \(file); or agree to the sealed file: docent login --sealed-file."
        }
    }

    /// The title of a rung, for the start of a sentence.
    package static func title(of rung: CredentialRung) -> String {
        switch rung {
        case .secretService: "Secret Service"
        case .encryptedFile: "Encrypted file"
        case .systemd: "systemd credentials"
        case .sealedFile: "Sealed file"
        }
    }
}
