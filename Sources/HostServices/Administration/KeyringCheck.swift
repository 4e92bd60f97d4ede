import DocentInterfaces
import Keyring

/// The state of the credential ladder as a check of `docent doctor`: which rung is in use and why, and why each other
/// one is not. Pure.
enum KeyringCheck {
    static func check(_ survey: CredentialSurvey) -> Wire.Check {
        let storage = survey.storage(allowingSealedFile: false)
        let use =
            switch storage.rung {
            case nil: "there is no place to store the secrets of a new login."
            case .systemd: "\(storage.name) can be read; there is no place to store the secrets of a new login."
            case .some: "secrets of a new login go to \(storage.name). \(storage.reason)"
            }
        let others = CredentialRung.allCases.filter { $0 != storage.rung }.map { rung in
            let why = survey.objection(to: rung, allowingSealedFile: false) ?? "not needed"
            return "\(CredentialSurvey.title(of: rung)): \(why)."
        }
        // The reason for the rung in use already covers the rungs above it.
        let told = others.filter { !storage.reason.contains($0) || storage.rung == nil || storage.rung == .systemd }
        return Wire.Check(
            name: "keyring", status: isFine(storage, survey) ? "ok" : "warning",
            detail: ([use] + told).joined(separator: " "), remedy: remedy(storage, survey))
    }

    private static func isFine(_ storage: CredentialStorageState, _ survey: CredentialSurvey) -> Bool {
        guard !storage.isLocked, !survey.hasUnreadableFile else { return false }
        return storage.rung == .secretService || storage.rung == .encryptedFile
    }

    private static func remedy(_ storage: CredentialStorageState, _ survey: CredentialSurvey) -> String? {
        guard !survey.hasUnreadableFile else {
            return "Existing secrets cannot be read: see above. " + (storage.remedy ?? "")
        }
        guard let remedy = storage.remedy else { return nil }
        return storage.rung == nil || storage.rung == .systemd
            ? remedy + " Providers that need no credentials work." : remedy
    }
}
