/// What can be done to the service behind a provider.
package struct ServiceAbilities: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: Int

    /// A set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It can be made unreachable for a while, and its connections can be cut.
    package static let reach = ServiceAbilities(rawValue: 1)
    /// Documents can be changed in it past the provider, as other people do.
    package static let change = ServiceAbilities(rawValue: 2)

    /// Their names, sorted.
    package var names: [String] {
        let all: [(ability: ServiceAbilities, name: String)] = [(.change, "change"), (.reach, "reach")]
        return all.filter { contains($0.ability) }.map(\.name)
    }

    /// What has to be given for a case that needs some of them; nil where nothing is missing.
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
