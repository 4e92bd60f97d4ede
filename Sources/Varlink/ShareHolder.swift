/// The owner of a share of limited resources. Everything that it uses is counted together, in any number of processes.
package struct ShareHolder: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of holders.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Programs of the user outside every sandbox.
        case unconfined
        /// Clients in a sandbox.
        case confined
        /// Processes that have connected but are not recognised yet.
        case unrecognised
    }

    /// The kind of holder.
    package let kind: Kind
    /// Distinguishes it from others of its kind.
    package let name: String

    /// Creates a holder.
    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// Creates a holder that is identified only by its process.
    package init(_ kind: Kind, process peer: PeerCredentials) {
        self.init(kind, "process \(peer.processIdentifier)")
    }

    /// The holder whose call the current task answers; nil for the server's own work.
    @TaskLocal package static var current: ShareHolder?

    /// The name.
    package var description: String { name }
}
