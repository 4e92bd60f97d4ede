import DocentInterfaces

/// The settings of a domain as they are shown, without values that look like secrets. Pure.
struct ShownSettings: Equatable {
    /// Values by name; nil for a value that is left out.
    let values: [String: String?]

    private static let secretWords = ["passphrase", "password", "passwd", "privatekey", "secret", "token"]

    /// - Parameter settings: as the daemon reports them.
    init(_ settings: [String: String]) {
        values = Dictionary(
            uniqueKeysWithValues: settings.map { name, value in
                (name, Self.isSecret(name) ? nil : Self.withoutPassword(value))
            })
    }

    /// Whether a name indicates that its value is a secret.
    static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter }
        return secretWords.contains { plain.contains($0) }
    }

    /// An address with its password left out: `https://ada:…@h/`.
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
