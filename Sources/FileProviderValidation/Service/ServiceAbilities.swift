/// Possible actions on the service behind a provider.
package struct ServiceAbilities: OptionSet, Sendable, Hashable {
    /// The abilities as a bit mask.
    package let rawValue: Int

    /// Creates a set from a bit mask.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It can be made unreachable, and its connections can be cut.
    package static let reach = ServiceAbilities(rawValue: 1)
    /// Its documents can be changed without the provider, as other people do.
    package static let change = ServiceAbilities(rawValue: 2)

    /// Their names, sorted.
    package var names: [String] {
        let all: [(ability: ServiceAbilities, name: String)] = [(.change, "change"), (.reach, "reach")]
        return all.filter { contains($0.ability) }.map(\.name)
    }

    /// What has to be provided for a case that needs these abilities; nil if nothing is missing.
    package func remedy(lacking needed: ServiceAbilities) -> String? {
        let missing = needed.subtracting(self)
        if missing.contains(.change) {
            return "it needs a program that changes documents of the service: give --service"
        }
        if missing.contains(.reach) {
            return "it needs a way to make the service unreachable: give --proxy or --service"
        }
        return nil
    }
}
