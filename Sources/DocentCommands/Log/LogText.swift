import CommandConsole
import DocentInterfaces

/// Formats the audit log for people. Pure.
enum LogText {
    static func table(_ entries: [Wire.LogEntry]) -> Table {
        var table = Table(["TIME", "EVENT", "CLIENT", "KIND", "ACCESS", "DOCUMENT", "TIMES", "DETAIL"], numbers: [6])
        for entry in entries {
            table.add([
                Timestamp.text(entry.last) ?? "-", entry.event, entry.client,
                GrantText.kind(entry.clientKind, entry.strength), entry.access, document(entry), String(entry.count),
                detail(entry),
            ])
        }
        return table
    }

    /// One entry on a line, for entries that arrive one by one.
    static func line(_ entry: Wire.LogEntry) -> String {
        let kind = GrantText.kind(entry.clientKind, entry.strength)
        let times = entry.count > 1 ? " (\(entry.count) times)" : ""
        let text =
            "\(Timestamp.text(entry.last) ?? "-") \(entry.event) \(entry.client) \(kind) \(entry.access) "
            + "\(document(entry))\(times) \(detail(entry))"
        return SafeText.escaped(text) + "\n"
    }

    private static func document(_ entry: Wire.LogEntry) -> String {
        guard !entry.provider.isEmpty else { return entry.detail == "further documents" ? "(several)" : "-" }
        return "\(GrantText.account(entry.provider, entry.domain)) \(entry.name ?? entry.identifier)"
    }

    private static func detail(_ entry: Wire.LogEntry) -> String {
        var parts = entry.detail.isEmpty ? [] : [entry.detail]
        if let grant = entry.grant { parts.append("grant \(grant)") }
        if let process = entry.process { parts.append("process \(process)") }
        if let executable = entry.executable { parts.append(executable) }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }
}
