import FoundationEssentials

/// Whether the machine runs on a battery, from the kernel's files.
struct PowerState: Sendable {
    /// The folder with a folder for each power supply.
    var supplies = "/sys/class/power_supply"

    /// Whether no mains supply is connected and a battery is discharging. A machine without a battery is not.
    var isOnBattery: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: supplies)) ?? []
        var isDischarging = false
        for name in names.prefix(32) {
            switch text(name, "type") {
            case "Mains", "USB", "Wireless": if text(name, "online") == "1" { return false }
            // The battery of a mouse says nothing about the machine.
            case "Battery" where text(name, "scope") != "Device":
                if text(name, "status") == "Discharging" { isDischarging = true }
            default: break
            }
        }
        return isDischarging
    }

    private func text(_ supply: String, _ file: String) -> String? {
        (try? String(contentsOfFile: "\(supplies)/\(supply)/\(file)", encoding: .utf8))
            .map { String($0.prefix { !$0.isWhitespace }) }
    }
}
