package import Rights

/// The direction of a transfer.
package enum TransferKind: String, Hashable, Sendable {
    case download
    case upload
}

/// How much a transfer is wanted; the greater runs first.
package enum TransferPriority: Int, Comparable, Sendable {
    /// Nobody waits: an upload, or a local copy that is made current.
    case background
    /// The user wants it kept here.
    case pinned
    /// Somebody is waiting for it.
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

/// What names a transfer: there is one at a time of each item and direction, whoever waits for it.
package struct TransferKey: Hashable, Sendable {
    package let kind: TransferKind
    package let item: ItemKey

    package init(kind: TransferKind, item: ItemKey) {
        self.kind = kind
        self.item = item
    }

    /// The account that it counts for.
    package var account: DomainKey { DomainKey(provider: item.provider, domain: item.domain) }
}

/// An account of a provider.
package struct DomainKey: Hashable, Sendable {
    package let provider: String
    /// Empty for the default one.
    package let domain: String

    package init(provider: String, domain: String) {
        self.provider = provider
        self.domain = domain
    }
}

/// One attempt of a transfer: it is run again from its start for each further one, and resumes by its own means. It
/// throws ``Failure`` and tells what it has moved, in bytes from the start of the content, with the whole size where
/// that is known.
package typealias TransferBody =
    @Sendable (_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Void
