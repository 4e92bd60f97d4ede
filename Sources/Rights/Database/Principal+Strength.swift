extension Principal {
    /// How reliable a client's name is; shown wherever a client is shown.
    package enum Strength: String, Sendable {
        /// A sandbox prevents it from posing as another client.
        case enforced
        /// Stated by the client itself: any unconfined program could state it.
        case stated
    }

    /// How reliable this client's name is.
    package var strength: Strength { kind.strength }
}

extension Principal.Kind {
    /// How reliable the names of this kind are. An unknown kind counts as stated.
    package var strength: Principal.Strength {
        switch self {
        case .run, .flatpak, .snap: .enforced
        case .unconfined, .unknown: .stated
        }
    }
}
