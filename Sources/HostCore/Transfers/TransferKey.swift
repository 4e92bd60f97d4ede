package import Rights

/// The direction of a transfer.
package enum TransferKind: String, Hashable, Sendable {
    case download
    case upload
}

/// The priority of a transfer; the highest runs first.
package enum TransferPriority: Int, Comparable, Sendable {
    /// Not awaited: an upload, or an update of a local copy.
    case background
    /// The user wants it kept here.
    case pinned
    /// A caller is waiting for it.
    case awaited

    package static func < (left: TransferPriority, right: TransferPriority) -> Bool { left.rawValue < right.rawValue }

    /// Its name on the wire.
    package var name: String {
        switch self {
        case .background: "background"
        case .pinned: "pinned"
        case .awaited: "awaited"
        }
    }
}

/// Identifies a transfer: there is at most one for each item and direction, however many wait for it.
package struct TransferKey: Hashable, Sendable {
    package let kind: TransferKind
    package let item: ItemKey

    package init(kind: TransferKind, item: ItemKey) {
        self.kind = kind
        self.item = item
    }

    /// The account whose limit it counts towards.
    package var account: DomainKey { DomainKey(provider: item.provider, domain: item.domain) }
}

/// An account of a provider.
package struct DomainKey: Hashable, Sendable {
    package let provider: String
    /// Empty for the default account.
    package let domain: String

    package init(provider: String, domain: String) {
        self.provider = provider
        self.domain = domain
    }
}

/// One attempt of a transfer. It is run from its start for each attempt, and resumes by its own means. It throws
/// ``Failure`` and reports its progress in bytes from the start of the content, with the total size if known.
package typealias TransferBody =
    @Sendable (_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Void
