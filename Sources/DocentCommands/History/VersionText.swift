import CommandConsole
import Documents

/// Formats the versions of a document.
enum VersionText {
    /// Why a version is there.
    static func kind(_ version: FileVersion) -> String {
        if version.isCurrent { return "current" }
        let reason = version.reason?.rawValue ?? (version.isAtProvider ? "at the service" : "-")
        return version.isConflict && version.isResolved ? reason + " (settled)" : reason
    }

    /// The client and the computer that saved a version, as far as known.
    static func saver(_ version: FileVersion) -> String {
        guard let client = version.savingClient else { return version.savingPerson ?? "-" }
        return version.localizedNameOfSavingComputer.map { "\(client) on \($0)" } ?? client
    }

    /// A version in one line, for headings.
    static func title(_ version: FileVersion) -> String {
        let date = Timestamp.text(version.modificationDate) ?? "unknown date"
        return "\(SafeText.escaped(version.localizedName)) (\(kind(version)), \(date))"
    }

    /// The versions as a table for people.
    static func table(_ versions: [FileVersion]) -> Table {
        let short = VersionName.short(versions)
        var table = Table(["VERSION", "SAVED", "SIZE", "BY", "KIND"], numbers: [2])
        for version in versions {
            table.add([
                short[version.persistentIdentifier] ?? version.persistentIdentifier,
                Timestamp.text(version.modificationDate) ?? "-", version.size.map(ByteCount.text) ?? "-",
                saver(version), kind(version),
            ])
        }
        return table
    }

    /// A name for a version that becomes a document of its own beside another one.
    ///
    /// - Parameter number: tells several of the same moment apart; 1 for the first.
    static func copyName(of name: String, _ version: FileVersion, number: Int) -> String {
        let date = (Timestamp.text(version.modificationDate) ?? "undated").map { character -> Character in
            switch character {
            case "T": " "
            case ":": "."
            default: character
            }
        }.filter { $0 != "Z" }
        let mark = " (version of \(String(date))\(number == 1 ? "" : ", \(number)"))"
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name + mark }
        return name[..<dot] + mark + name[dot...]
    }
}
