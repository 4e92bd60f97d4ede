/// The names of items that were created or moved under a name that another item has.
enum ConflictName {
    private static let maximumLength = 255

    /// The name with device and date, and with a number from the second on: `notes (laptop 2026-11-28 2).txt`. It is
    /// shortened so that it stays a name.
    static func name(_ name: String, isFolder: Bool, device: String, time: Int64, number: Int) -> String {
        var stem = name[...]
        var suffix = ""
        if !isFolder, let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name[dot...].utf8.count <= 32, name.index(after: dot) != name.endIndex
        {
            stem = name[..<dot]
            suffix = String(name[dot...])
        }
        let label = String(device.prefix(40)).filter { $0 != "/" && $0 != "\0" }
        let note = " (\(label) \(date(time))\(number == 1 ? "" : " \(number)"))"
        while !stem.isEmpty, stem.utf8.count + note.utf8.count + suffix.utf8.count > maximumLength {
            stem = stem.dropLast()
        }
        return stem + note + suffix
    }

    /// The day in UTC as `2026-11-28`.
    private static func date(_ milliseconds: Int64) -> String {
        // Days to a civil date by Howard Hinnant's algorithm; years of four digits, so that names stay short.
        let days = min(max(milliseconds / 86_400_000, 0), 2_932_896) + 719_468
        let era = days / 146_097
        let day = days - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
        return "\(civilYear)-\(civilMonth < 10 ? "0" : "")\(civilMonth)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)"
    }
}

extension DriveTree {
    /// The name under which a conflicting version of a document is shown beside it.
    ///
    /// - Parameter used: The names that are taken; the new one is added.
    package func conflictName(of name: String, _ version: Version, used: inout Set<String>) -> String {
        let device = version.stamp.device
        let label = deviceNames[device] ?? String(device.description.prefix(6))
        var number = 1
        while true {
            let candidate = ConflictName.name(
                name, isFolder: false, device: label, time: version.content.modified, number: number)
            if used.insert(candidate).inserted { return candidate }
            number += 1
        }
    }
}
