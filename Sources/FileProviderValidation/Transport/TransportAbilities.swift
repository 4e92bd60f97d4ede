/// What a transport makes possible.
package struct TransportAbilities: OptionSet, Sendable, Hashable, Codable {
    /// The abilities as a bit mask.
    package let rawValue: Int

    /// Creates a set from a bit mask.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The provider's process can be killed at any moment.
    package static let kill = TransportAbilities(rawValue: 1)
    /// It can be ended properly and restarted on the same storage.
    package static let restart = TransportAbilities(rawValue: 2)
    /// The provider has a process of its own whose memory and descriptors can be counted.
    package static let measure = TransportAbilities(rawValue: 4)
    /// It runs in the sandbox of its manifest.
    package static let sandbox = TransportAbilities(rawValue: 8)
    /// Messages reach the provider unchanged, including those that no host would send.
    package static let direct = TransportAbilities(rawValue: 16)
    /// The validator itself decides whether and when to call `Initialize`.
    package static let lifeCycle = TransportAbilities(rawValue: 32)

    /// What is missing, for people; nil if nothing is.
    package func reason(lacking needed: TransportAbilities, transport: String) -> String? {
        let missing = needed.subtracting(self)
        let reasons: [(TransportAbilities, String)] = [
            (.kill, "the provider cannot be killed"), (.restart, "the provider cannot be restarted"),
            (.measure, "the provider has no process of its own to measure"), (.sandbox, "there is no sandbox"),
            (.direct, "the validator does not call the provider directly"),
            (.lifeCycle, "the validator does not call Initialize"),
        ]
        guard let reason = reasons.first(where: { missing.contains($0.0) }) else { return nil }
        return "over the transport \"\(transport)\" \(reason.1)"
    }
}
