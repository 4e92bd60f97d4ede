import DocentInterfaces
import Keyring

/// The state of the keyring as a check of `docent doctor`. Pure.
enum KeyringCheck {
    static func check(_ status: KeyringStatus) -> Wire.Check {
        switch status {
        case .available: Wire.Check(name: "keyring", status: "ok", detail: "a Secret Service answers")
        default:
            Wire.Check(
                name: "keyring", status: "warning", detail: "\(status)",
                remedy: "Providers that need no credentials work. For the others, start and unlock a keyring "
                    + "(gnome-keyring-daemon --unlock).")
        }
    }
}
