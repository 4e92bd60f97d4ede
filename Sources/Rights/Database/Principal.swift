/// The identity of a client: how it reached the daemon, and the identifier that this gives it (I2).
///
/// Both parts belong to every key. Two principals of different kinds never match, so an unconfined program that states
/// a Flatpak's identifier cannot use that Flatpak's grants.
package struct Principal: Hashable, Sendable, Codable {
    /// How the client reached the daemon.
    package enum Kind: String, Sendable, CaseIterable {
        /// A sandbox made by `docent run`, identified by the socket made for it.
        case run
        /// An instance of a Flatpak application.
        case flatpak
        /// An instance of a Snap.
        case snap
        /// A process of the same user outside every sandbox, with the identifier that it states.
        case unconfined
        /// A kind that this version of Docent does not know. It equals nothing, not even itself, and is granted
        /// nothing.
        case unknown
    }

    /// How the client reached the daemon.
    package let kind: Kind
    /// The identifier within the kind, for instance a reverse domain name.
    package let identifier: String

    /// Makes a principal.
    package init(kind: Kind, identifier: String) {
        self.kind = kind
        self.identifier = identifier
    }

    /// Whether a sandbox separates the client from the user's other files, so that it may not choose documents (I1).
    ///
    /// An unknown kind counts as confined.
    package var isConfined: Bool { kind != .unconfined }

    /// Two principals are equal when kind and identifier are, and the kind is known.
    package static func == (left: Principal, right: Principal) -> Bool {
        left.kind != .unknown && left.kind == right.kind && left.identifier.isSame(as: right.identifier)
    }

    /// Hashes kind and identifier.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(identifier)
    }
}

extension Principal.Kind: Codable {
    /// Decodes a kind; an unknown string becomes ``unknown``.
    package init(from decoder: any Decoder) throws {
        self = try Self(stored: decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the kind as its string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    init(stored: String) {
        self = Self(rawValue: stored) ?? .unknown
    }
}

extension Principal: CustomStringConvertible {
    /// The kind, a colon and the identifier.
    package var description: String { "\(kind.rawValue):\(identifier)" }
}
