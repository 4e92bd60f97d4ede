/// The file in which xdg-desktop-portal 1.17 and newer finds who shows a file dialog. Pure.
enum PortalConfiguration {
    static let interface = "org.freedesktop.impl.portal.FileChooser"
    private static let section = "[preferred]"

    /// The text that prefers Docent for file dialogs, and otherwise says the same.
    static func preferringDocent(_ text: String) -> String {
        var lines = Self.lines(text)
        let start = lines.firstIndex { trimmed($0) == section }
        guard let start else {
            let gap = text.isEmpty || text.unicodeScalars.last == "\n" ? "" : "\n"
            return "\(text)\(gap)\(section)\n\(interface)=docent\n"
        }
        let end = lines[(start + 1)...].firstIndex { trimmed($0).hasPrefix("[") } ?? lines.endIndex
        let own = lines[start..<end].firstIndex { key($0) == interface }
        let general = lines[start..<end].firstIndex { key($0) == "default" }
        // The dialog that was there before follows, in case docent-portal is not installed any more.
        let before = (own ?? general).map { value(lines[$0]) } ?? ""
        let rest = before.split(separator: ";").map(String.init).map(trimmed).filter { $0 != "docent" && $0 != "none" }
        let line = "\(interface)=\((["docent"] + rest.filter { !$0.isEmpty }).joined(separator: ";"))"
        if let own { lines[own] = line } else { lines.insert(line, at: start + 1) }
        return lines.joined(separator: "\n")
    }

    /// Whether Docent is the first that is preferred.
    static func prefersDocent(_ text: String) -> Bool {
        let lines = Self.lines(text)
        guard let start = lines.firstIndex(where: { trimmed($0) == section }) else { return false }
        let end = lines[(start + 1)...].firstIndex { trimmed($0).hasPrefix("[") } ?? lines.endIndex
        return lines[start..<end].last { key($0) == interface }
            .map { value($0).split(separator: ";").first.map(String.init).map(trimmed) == "docent" } ?? false
    }

    /// The names of the file in each folder, the most particular first.
    ///
    /// - Parameter desktops: XDG_CURRENT_DESKTOP.
    static func names(_ desktops: String) -> [String] {
        let known = desktops.lowercased().split(separator: ":").map(String.init).filter { !$0.contains("/") }
        return known.map { $0 + "-portals.conf" } + ["portals.conf"]
    }

    /// Whether a version reads such files: 1.17 and newer do.
    ///
    /// - Parameter version: what `xdg-desktop-portal --version` prints, such as `xdg-desktop-portal 1.16.0`.
    static func isRead(by version: String) -> Bool {
        let numbers = version.split(separator: " ").last?.split(separator: ".").prefix(2).map { Int($0) ?? 0 } ?? []
        guard numbers.count == 2 else { return true }
        return numbers[0] > 1 || numbers[0] == 1 && numbers[1] >= 17
    }

    /// The lines without their line feeds. A carriage return before one stays part of the line.
    private static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }

    private static func key(_ line: String) -> String {
        line.contains("=") ? trimmed(String(line.prefix { $0 != "=" })) : ""
    }

    private static func value(_ line: String) -> String { trimmed(String(line.drop { $0 != "=" }.dropFirst())) }
}
