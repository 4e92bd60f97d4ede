import Rights

/// The identifier that the rights to an item have after the item is gone for certain.
///
/// Where paths are identifiers, another item may appear under the same one: it inherits nothing. The same item at the same
/// version (somebody restored it, or the server had lost it for a while) takes its rights back. Pure.
package struct Tombstone: Hashable, Sendable {
    private static let prefix = ".docent-gone-"

    /// The identifier that the item had.
    package let former: String
    /// The last version that was known; nil when the provider named none, then nothing proves that an item is the same.
    package let version: String?

    init(_ item: ItemDescription) {
        former = item.identifier
        version = item.version
    }

    /// Reads an identifier; nil when it is a living item's.
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

    /// Whether an identifier is a tombstone's.
    package static func isOne(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    /// The identifier.
    package var identifier: String {
        "\(Self.prefix)\(version.map { "\($0.utf8.count)" } ?? "none")-\(version ?? "")\(former)"
    }

    /// Whether an item that appears under the former identifier is the one that was gone.
    func isSame(as item: ItemDescription) -> Bool {
        guard let version, let now = item.version else { return false }
        return version.isSame(as: now) && former.isSame(as: item.identifier)
    }
}
