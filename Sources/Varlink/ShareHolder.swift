/// Who shares an allowance: everything that one holder has counts together, in however many processes (T4).
package struct ShareHolder: Hashable, Sendable, CustomStringConvertible {
    /// What holders have in common.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Programs of the user outside every sandbox.
        case unconfined
        /// Clients in a sandbox.
        case confined
        /// Processes that have connected and are not recognised yet.
        case unrecognised
    }

    /// What it has in common with others.
    package let kind: Kind
    /// Tells it from the others of its kind.
    package let name: String

    /// A holder.
    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// A holder that is known by its process alone.
    package init(_ kind: Kind, process peer: PeerCredentials) {
        self.init(kind, "process \(peer.processIdentifier)")
    }

    /// For whom the running task answers a call; nil for work of the server's own.
    @TaskLocal package static var current: ShareHolder?

    /// The name.
    package var description: String { name }
}
