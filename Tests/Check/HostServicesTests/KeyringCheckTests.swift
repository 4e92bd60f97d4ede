import DocentInterfaces
import Foundation
import Keyring
import Testing

@testable import HostServices

/// What `docent doctor` reports about the places for secrets.
struct KeyringCheckTests {
    private func survey(_ states: [CredentialRung: RungState], sealedFileIsThere: Bool = false) -> CredentialSurvey {
        var all: [CredentialRung: RungState] = [
            .secretService: .absent("it does not answer: no bus"),
            .encryptedFile: .absent("it has no master password"),
            .systemd: .absent("the service manager gave the daemon no credentials"), .sealedFile: .usable,
        ]
        all.merge(states) { _, new in new }
        return CredentialSurvey(
            states: all, keyringName: "GNOME keyring, collection Login", encryptedPath: "/data/credentials.keyring",
            sealedPath: "/data/credentials.sealed", isSealedFileThere: sealedFileIsThere)
    }

    @Test("an unlocked keyring is fine, and the report lists each lower rung with the reason why it is not used")
    func keyring() {
        let check = KeyringCheck.check(survey([.secretService: .usable]))
        #expect(check.status == "ok" && check.remedy == nil && check.name == "keyring")
        #expect(check.detail.contains("GNOME keyring, collection Login"))
        #expect(check.detail.contains("Encrypted file: it has no master password."))
        #expect(check.detail.contains("systemd credentials: the service manager gave the daemon no credentials."))
        #expect(check.detail.contains("Sealed file: it is used only when you ask for it"))
    }

    @Test("a locked keyring stays the place for secrets, with a warning that says to unlock it")
    func locked() {
        let check = KeyringCheck.check(survey([.secretService: .locked, .encryptedFile: .usable]))
        #expect(check.status == "warning" && check.remedy?.contains("Unlock") == true)
        #expect(check.detail.contains("go to GNOME keyring") && check.detail.contains("Encrypted file: not needed."))
    }

    @Test("without a keyring, the encrypted file is fine, and the report says once why there is no keyring")
    func encryptedFile() {
        let check = KeyringCheck.check(survey([.encryptedFile: .usable]))
        #expect(check.status == "ok" && check.remedy == nil)
        #expect(check.detail.contains("go to encrypted file /data/credentials.keyring"))
        #expect(check.detail.components(separatedBy: "it does not answer: no bus").count == 2)
    }

    @Test("systemd credentials can be read but not stored; that is a warning with a remedy")
    func systemd() {
        let check = KeyringCheck.check(survey([.systemd: .usable]))
        #expect(check.status == "warning" && check.remedy?.contains("DOCENT_KEYRING_PASSWORD_FILE") == true)
        #expect(check.detail.contains("no place to store the secrets of a new login"))
    }

    @Test("a missing keyring is a warning with a remedy that names every way, never an error")
    func none() {
        let check = KeyringCheck.check(survey([:]))
        #expect(check.status == "warning")
        for way in [
            "gnome-keyring-daemon --replace --unlock", "docent.keyring-password", "--sealed-file",
            "need no credentials",
        ] {
            #expect(check.remedy?.contains(way) == true, "\(way)")
        }
        for rung in CredentialRung.allCases {
            #expect(check.detail.contains(CredentialSurvey.title(of: rung)), "\(rung)")
        }
    }

    @Test("a secrets file that cannot be opened is a warning beside a working keyring")
    func damaged() {
        let check = KeyringCheck.check(
            survey([.secretService: .usable, .sealedFile: .absent("it does not open")], sealedFileIsThere: true))
        #expect(check.status == "warning" && check.remedy?.contains("cannot be read") == true)
        #expect(check.detail.contains("Sealed file: it does not open."))
    }
}
