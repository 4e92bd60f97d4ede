/// One thing that is tried on a provider: it starts a fresh instance, uses it, and reports how it misbehaved.
///
/// Cases are independent of each other and run in any order. `description` is the name, so that test frameworks show
/// it.
public struct ValidationCase: Sendable, Identifiable, CustomStringConvertible {
    /// Group and name, as in `reading.ranges`; unique, and stable from version to version.
    public let name: String
    /// From 1 (runs in any case) to 10 (takes long); a run at a level has all cases up to it.
    public let level: Int
    /// What is expected, in one line.
    public let summary: String
    /// What it is about.
    public let requirements: [ProviderRequirement]
    /// What the provider must have declared; otherwise the case is skipped.
    package let needs: Set<ProviderFeature>
    /// What the transport must be able to do; otherwise the case is skipped.
    package let abilities: TransportAbilities
    /// What must be possible with the service behind the provider; otherwise the case is not tried.
    package let service: ServiceAbilities
    /// By how much the time limit of a case is to be multiplied for this one.
    package let patience: Int
    /// What it does.
    package let body: @Sendable (CaseContext) async throws -> Void

    /// The part of ``name`` before the point.
    public var group: String { String(name.prefix { $0 != "." }) }
    /// The same as ``name``.
    public var id: String { name }
    /// The same as ``name``.
    public var description: String { name }
    /// What a finding is about that names no requirement: those of the case, without the general one where there are
    /// others.
    var mainRequirements: [ProviderRequirement] {
        let special = requirements.filter { $0 != .interface && $0 != .everyTransport }
        return special.isEmpty ? requirements : special
    }
    /// Whether it acts on the service behind the provider, so that it needs ``ValidationOptions/service``.
    public var needsService: Bool { !service.isEmpty }
    /// The names of the features that it needs, sorted.
    public var neededFeatures: [String] { needs.sorted().map(\.rawValue) }

    /// A case.
    ///
    /// - Parameters:
    ///   - name: `group.name`.
    ///   - level: 1 to 10.
    ///   - needs: features without which it is skipped.
    ///   - abilities: of the transport, without which it is skipped.
    ///   - service: of the service, without which it is not tried.
    ///   - patience: by how much its time limit is longer than that of others.
    ///   - requirements: what it is about; a finding that names none is about all of them.
    ///   - summary: what is expected, in one line.
    ///   - body: reports to the context. A call problem that it throws becomes a finding.
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
