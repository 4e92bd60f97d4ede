/// One test of a provider: it starts a fresh instance, uses it, and reports how it misbehaves.
///
/// Cases are independent of each other and run in any order. `description` is the name, so that test frameworks show
/// it.
public struct ValidationCase: Sendable, Identifiable, CustomStringConvertible {
    /// Group and name, as in `reading.ranges`; unique, and stable across versions.
    public let name: String
    /// From 1 (always runs) to 10 (takes long); a run at a level includes all cases up to it.
    public let level: Int
    /// What is expected, in one line.
    public let summary: String
    /// The requirements that it tests.
    public let requirements: [ProviderRequirement]
    /// Features that the provider must have declared; otherwise the case is skipped.
    package let needs: Set<ProviderFeature>
    /// Abilities that the transport must have; otherwise the case is skipped.
    package let abilities: TransportAbilities
    /// Actions on the service that must be possible; otherwise the case is not tried.
    package let service: ServiceAbilities
    /// The factor by which the time limit is multiplied for this case.
    package let patience: Int
    /// The test itself.
    package let body: @Sendable (CaseContext) async throws -> Void

    /// The part of ``name`` before the dot.
    public var group: String { String(name.prefix { $0 != "." }) }
    /// The same as ``name``.
    public var id: String { name }
    /// The same as ``name``.
    public var description: String { name }
    /// The requirements of a finding that names none: those of the case, without the general one if there are others.
    var mainRequirements: [ProviderRequirement] {
        let special = requirements.filter { $0 != .interface && $0 != .everyTransport }
        return special.isEmpty ? requirements : special
    }
    /// Whether it acts on the service behind the provider and therefore needs ``ValidationOptions/service``.
    public var needsService: Bool { !service.isEmpty }
    /// The names of the features that it needs, sorted.
    public var neededFeatures: [String] { needs.sorted().map(\.rawValue) }

    /// Creates a case.
    ///
    /// - Parameters:
    ///   - name: `group.name`.
    ///   - level: 1 to 10.
    ///   - needs: features without which it is skipped.
    ///   - abilities: abilities of the transport without which it is skipped.
    ///   - service: actions on the service without which it is not tried.
    ///   - patience: the factor by which its time limit is multiplied.
    ///   - requirements: the requirements that it tests; a finding that names none refers to all of them.
    ///   - summary: what is expected, in one line.
    ///   - body: the test, which reports to the context. A call problem that it throws becomes a finding.
    package init(
        _ name: String, level: Int, needs: Set<ProviderFeature> = [], abilities: TransportAbilities = [],
        service: ServiceAbilities = [], patience: Int = 1, requirements: [ProviderRequirement], _ summary: String,
        body: @escaping @Sendable (CaseContext) async throws -> Void
    ) {
        self.name = name
        self.level = level
        self.needs = needs
        self.abilities = abilities
        self.service = service
        self.patience = patience
        self.requirements = requirements
        self.summary = summary
        self.body = body
    }
}
