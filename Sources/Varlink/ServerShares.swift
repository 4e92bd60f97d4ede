/// What the peers of one server are using. Thread-safe.
final class ServerShares: Sendable {
    /// A resource of which a holder may not have more.
    struct Exhaustion: Error, Sendable {
        var resource: SharedResource
        var refusal: PrincipalShares.Refusal
        var holder: ShareHolder
    }

    private let counters: [SharedResource: ShareCounter]
    private let none = ShareCounter(ShareLimits(total: 0, unconfined: .none, confined: .none))

    init(_ limits: ServerLimits) {
        counters = Dictionary(
            uniqueKeysWithValues: SharedResource.allCases.map { ($0, ShareCounter(limits[$0])) })
    }

    /// The counter of a resource.
    subscript(resource: SharedResource) -> ShareCounter { counters[resource] ?? none }
}
