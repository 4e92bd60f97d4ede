import CommandConsole
import DesktopNotices

/// The texts of `docent notifications`. Pure.
enum NotificationsText {
    /// Whether notifications are on, and where that is written.
    struct Status: Equatable {
        var state: NoticeSetting.State
        /// Whether docent-notifier is installed.
        var isInstalled: Bool
        /// The user's file.
        var file: String

        var json: JSONValue {
            .object([
                "state": .string(state.rawValue), "installed": .bool(isInstalled), "file": .string(file),
            ])
        }
    }

    static func on(isStarted: Bool) -> String {
        "Notifications are on" + (isStarted ? ".\n" : " from your next login on: there is no session bus here.\n")
    }

    static let off = "Notifications are off.\n"

    static func status(_ status: Status) -> String {
        let state =
            switch status.state {
            case .on: "on"
            case .off: "off"
            case .unset: "not set; `docent notifications on` turns them on"
            }
        var text = "Notifications:  \(state)\n"
        if status.state != .unset { text += "File:           \(SafeText.escaped(status.file))\n" }
        if !status.isInstalled { text += "docent-notifier was not found.\n" }
        return text
    }
}
