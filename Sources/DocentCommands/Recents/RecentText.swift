import CommandConsole
import Documents

/// Formats used documents and favourites. Pure.
enum RecentText {
    static let warning =
        "docent: Not all accounts could be asked in time; what lies there is shown as it was, and may be gone.\n"

    /// One line for each, or a table.
    static func list(_ documents: [RecentDocument], isLong: Bool) -> String {
        guard isLong else {
            return documents.map { FoundText.line($0.item, isLong: false) + "\n" }.joined()
        }
        var table = Table(["USED", "CLIENT", "DOCUMENT"])
        for document in documents {
            table.add([
                document.used.flatMap { Timestamp.text($0) } ?? "-", document.client ?? "-",
                FoundText.place(document.item),
            ])
        }
        return table.shown
    }

    /// An item of `docent recents --json` and `docent star --json`.
    static func record(_ document: RecentDocument) -> JSONValue {
        guard case .object(var members) = FoundText.record(document.item) else { return .null }
        members["used"] = document.used.flatMap { Timestamp.text($0) }.map(JSONValue.string) ?? .null
        members["client"] = document.client.map(JSONValue.string) ?? .null
        members["isRemembered"] = .bool(document.isRemembered)
        return .object(members)
    }

    /// For which clients nothing is remembered.
    static func unremembered(_ clients: [String]) -> String {
        if clients.contains("") { return "remembered: nothing\n" }
        guard !clients.isEmpty else { return "remembered: what all clients use\n" }
        return "remembered: what all clients use but \(clients.map(SafeText.escaped).joined(separator: ", "))\n"
    }
}

extension DocumentName {
    /// The reference of the document, which its provider is asked for if it is named by its location.
    func reference(_ client: DocumentsClient) async throws -> DocumentReference {
        switch self {
        case .reference(let reference): reference
        case .location(let location): try await DocumentPicker(client: client).described(at: location).item.reference
        }
    }
}
