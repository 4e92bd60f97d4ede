package import DocentInterfaces

/// An account that a search could not cover, or not all of it.
public struct SearchGap: Sendable, Hashable {
    /// Why something is missing.
    public enum Reason: Sendable, Hashable {
        /// Its service cannot be reached: what is known of it was searched.
        case offline
        /// Its service requires a sign-in.
        case notAuthenticated
        /// Its secret is in a keyring that is locked.
        case locked
        /// It is signed out: nothing of it was searched.
        case signedOut
        /// Nobody has listed its folders yet.
        case unlisted
        /// Its folders are being listed.
        case listing
        /// Listing its folders was paused.
        case paused
        /// Its folders could not all be listed.
        case failed
        /// The index is being made from other records.
        case comparing
        /// A reason that this version does not know.
        case other(String)
    }

    /// The provider's identifier.
    public let provider: String
    /// The account; empty for the default one.
    public let domain: String
    /// Why something is missing.
    public let reason: Reason
    /// How much of the known folders is listed, from 0 to 1; nil where that says nothing.
    public let progress: Double?
    /// A sentence for the user; nil for a confined program.
    public let message: String?

    /// ``message``, or a sentence for the reason.
    public var sentence: String {
        if let message { return message }
        return switch reason {
        case .offline: "It is offline."
        case .notAuthenticated: "It requires a sign-in."
        case .locked: "Its secret is in a keyring that is locked."
        case .signedOut: "It is signed out."
        case .unlisted: "Nobody has listed its folders yet."
        case .listing: "Its folders are being listed; \(Int((progress ?? 0) * 100)) % are done."
        case .paused: "Listing its folders was paused."
        case .failed: "Some of its folders could not be listed."
        case .comparing: "The index is being made."
        case .other(let kind): kind
        }
    }

    package init(_ wire: Wire.SearchGap) {
        provider = wire.provider
        domain = wire.domain
        progress = wire.progress
        message = wire.message
        reason =
            switch wire.kind {
            case "offline": .offline
            case "notAuthenticated": .notAuthenticated
            case "locked": .locked
            case "signedOut": .signedOut
            case "unlisted": .unlisted
            case "listing": .listing
            case "paused": .paused
            case "failed": .failed
            case "comparing": .comparing
            default: .other(wire.kind)
            }
    }
}
