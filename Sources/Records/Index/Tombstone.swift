import Rights

/// The identifier that an item's grants are moved to when the item is certainly gone.
///
/// Where paths are identifiers, another item may appear under the same one: it does not inherit the grants. The same
/// item at the same version (it was restored, or the server had lost it for a while) gets its grants back. Pure.
package struct Tombstone: Hashable, Sendable {
    private static let prefix = ".docent-gone-"

    /// The item's former identifier.
    package let former: String
    /// The last known version; nil when the provider names none: then an item can never be proved to be the same.
    package let version: String?

    init(_ item: ItemDescription) {
        former = item.identifier
        version = item.version
    }

    /// Reads an identifier; nil when it belongs to a living item.
    package init?(identifier: String) {
        guard identifier.hasPrefix(Self.prefix) else { return nil }
        let rest = identifier.dropFirst(Self.prefix.count)
        guard let dash = rest.firstIndex(of: "-") else { return nil }
        let text = rest[rest.index(after: dash)...].utf8
        guard let length = Int(rest[..<dash]) else {
            (former, version) = (String(rest[rest.index(after: dash)...]), nil)
            return
        }
        guard length >= 0, length <= text.count, let known = String(text.prefix(length)),
            let name = String(text.dropFirst(length))
        else { return nil }
        (former, version) = (name, known)
    }

    /// Whether an identifier is a tombstone.
    package static func isOne(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    /// The text form.
    package var identifier: String {
        "\(Self.prefix)\(version.map { "\($0.utf8.count)" } ?? "none")-\(version ?? "")\(former)"
    }

    /// Whether an item that appears under the former identifier is the one that was gone.
    func isSame(as item: ItemDescription) -> Bool {
        guard let version, let now = item.version else { return false }
        return version.isSame(as: now) && former.isSame(as: item.identifier)
    }
}
