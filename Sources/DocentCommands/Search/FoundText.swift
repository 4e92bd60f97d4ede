import CommandConsole
import Documents

/// Formats what a search found. Pure.
enum FoundText {
    /// The location of an item, as other commands take it; its reference if its path is not known.
    static func line(_ item: DocumentItem, isLong: Bool) -> String {
        let name = SafeText.escaped(place(item))
        guard isLong else { return name }
        return ItemText.line(item).dropLast(ItemText.name(item).count) + name
    }

    /// The same as it is, not made safe for a terminal.
    static func place(_ item: DocumentItem) -> String {
        let place = item.path.map { "\(account(item.reference)):\($0)" } ?? item.reference.url
        return place + (item.isFolder && !place.hasSuffix("/") ? "/" : "")
    }

    /// An item that is found no more.
    static func name(_ reference: DocumentReference) -> String { SafeText.escaped(reference.url) }

    private static func account(_ reference: DocumentReference) -> String {
        reference.domain.isEmpty ? reference.provider : "\(reference.provider)@\(reference.domain)"
    }

    /// What could not be searched, for standard error.
    static func gap(_ gap: SearchGap) -> String {
        let account = gap.domain.isEmpty ? gap.provider : "\(gap.provider)@\(gap.domain)"
        return "docent: not everything of \(SafeText.escaped(account)) was searched: "
            + "\(SafeText.escaped(gap.message ?? words(gap)))\n"
    }

    private static func words(_ gap: SearchGap) -> String {
        switch gap.reason {
        case .offline: "It is offline."
        case .notAuthenticated: "It requires a sign-in."
        case .locked: "Its secret is in a keyring that is locked."
        case .signedOut: "It is signed out."
        case .unlisted: "Nobody has listed its folders yet."
        case .listing: "Its folders are being listed; \(Int((gap.progress ?? 0) * 100)) % are done."
        case .paused: "Listing its folders was paused."
        case .failed: "Some of its folders could not be listed."
        case .comparing: "The index is being made."
        case .other(let kind): kind
        }
    }

    /// An item of `docent find --json`.
    ///
    /// - Parameter event: what happened to it, for a live search.
    static func record(_ item: DocumentItem, event: String? = nil) -> JSONValue {
        var members = JSONMembers([])
        item.describe(to: &members, path: nil, remembered: .null)
        members["provider"] = .string(item.reference.provider)
        members["domain"] = .string(item.reference.domain)
        if let event { members["event"] = .string(event) }
        return .object(members)
    }

    /// An item that is found no more, in `docent find --live --json`.
    static func goneRecord(_ reference: DocumentReference) -> JSONValue {
        .object([
            "event": .string("gone"), "provider": .string(reference.provider), "domain": .string(reference.domain),
            "identifier": .string(reference.identifier),
        ])
    }
}
