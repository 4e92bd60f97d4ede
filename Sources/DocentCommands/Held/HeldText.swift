import CommandConsole
import DocentInterfaces
import Documents

/// Formats what is held. Pure.
enum HeldText {
    /// For people.
    static func text(_ held: AdministrationInterface.Held.Reply) -> String {
        var text = ""
        if !held.clients.isEmpty {
            var table = Table(["CLIENT", "KIND", "DOCUMENTS", "SINCE", "WHY"], numbers: [2])
            for client in held.clients {
                table.add([
                    client.client, client.clientKind, String(client.documents), Timestamp.text(client.since) ?? "-",
                    client.isNoise == true ? "contents turn into noise" : "too many changes",
                ])
            }
            text += table.shown
        }
        if !held.listings.isEmpty {
            if !text.isEmpty { text += "\n" }
            var table = Table(["FOLDER", "KNOWN", "LISTED", "SINCE"], numbers: [1, 2])
            for listing in held.listings {
                table.add([
                    location(listing).description, String(listing.known), String(listing.listed),
                    Timestamp.text(listing.since) ?? "-",
                ])
            }
            text += table.shown
        }
        return text
    }

    /// For programs.
    static func json(_ held: AdministrationInterface.Held.Reply) -> JSONValue {
        .object([
            "clients": .array(
                held.clients.map { client in
                    .object([
                        "client": .string(client.client),
                        "kind": .string(client.clientKind),
                        "documents": JSONValue(client.documents),
                        "isNoise": .bool(client.isNoise == true),
                        "since": JSONValue(Timestamp.text(client.since)),
                    ])
                }),
            "listings": .array(
                held.listings.map { listing in
                    .object([
                        "location": .string(location(listing).description),
                        "known": JSONValue(listing.known),
                        "listed": JSONValue(listing.listed),
                        "since": JSONValue(Timestamp.text(listing.since)),
                    ])
                }),
            "limit": JSONValue(held.limit == 0 ? nil : held.limit),
        ])
    }

    /// Clients that were allowed to go on, for people.
    static func text(_ allowed: [(Wire.HeldClient, until: Double)]) -> String {
        allowed.map { "allowed until \(Timestamp.text($0.until) ?? "-"): \(SafeText.escaped($0.0.client))\n" }.joined()
    }

    /// Clients that were allowed to go on, for programs.
    static func json(_ allowed: [(Wire.HeldClient, until: Double)]) -> JSONValue {
        .array(
            allowed.map { client, until in
                .object([
                    "client": .string(client.client), "kind": .string(client.clientKind),
                    "until": JSONValue(Timestamp.text(until)),
                ])
            })
    }

    private static func location(_ listing: Wire.HeldListing) -> DocumentLocation {
        DocumentLocation(
            provider: listing.reference.provider, domain: listing.reference.domain,
            path: listing.path ?? listing.reference.identifier)
    }
}
