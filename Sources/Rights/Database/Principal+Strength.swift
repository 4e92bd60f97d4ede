extension Principal {
    /// How much a client's name is worth; shown wherever a client is shown.
    package enum Strength: String, Sendable {
        /// A sandbox keeps it from being another client.
        case enforced
        /// Its own word: any unconfined program could state it.
        case stated
    }

    /// How much the name of this client is worth.
    package var strength: Strength { kind.strength }
}

extension Principal.Kind {
    /// How much the names of this kind are worth. One of an unknown kind is worth no more than a stated one.
    package var strength: Principal.Strength {
        switch self {
        case .run, .flatpak, .snap: .enforced
        case .unconfined, .unknown: .stated
        }
    }
}
