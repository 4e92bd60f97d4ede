import DocentInterfaces
import Keyring

/// The state of the keyring as a check of `docent doctor`. Pure.
enum KeyringCheck {
    static func check(_ status: KeyringStatus) -> Wire.Check {
        switch status {
        case .available: Wire.Check(name: "keyring", status: "ok", detail: "a Secret Service answers")
        default:
            Wire.Check(
                name: "keyring", status: "warning", detail: detail(status),
                remedy: "Providers that need no credentials work. For the others, start and unlock a keyring "
                    + "(gnome-keyring-daemon --unlock).")
        }
    }

    private static func detail(_ status: KeyringStatus) -> String {
        switch status {
        case .available: "it can be used"
        case .locked: "it is locked"
        case .noCollection(let why): "it has no collection to store in: \(why)"
        case .noService(let why): "no Secret Service: \(why)"
        case .timedOut: "it did not answer in time"
        case .failed(let why): "it failed: \(why)"
        }
    }
}
