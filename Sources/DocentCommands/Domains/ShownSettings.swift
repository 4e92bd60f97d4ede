import DocentInterfaces

/// The settings of a domain, without what should have been no setting. Pure.
struct ShownSettings: Equatable {
    /// By their names; a value that is left out is nil.
    let values: [String: String?]

    private static let secretWords = ["passphrase", "password", "passwd", "privatekey", "secret", "token"]

    /// - Parameter settings: as the daemon has them.
    init(_ settings: [String: String]) {
        values = Dictionary(
            uniqueKeysWithValues: settings.map { name, value in
                (name, Self.isSecret(name) ? nil : Self.withoutPassword(value))
            })
    }

    /// Whether a name says that its value is a secret.
    static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter }
        return secretWords.contains { plain.contains($0) }
    }

    /// An address without the password in it: `https://ada:…@h/`.
    static func withoutPassword(_ value: String) -> String {
        guard let scheme = value.firstRange(of: "://") else { return value }
        let rest = value[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return value
        }
        return value[...colon] + "…" + value[at...]
    }
}
