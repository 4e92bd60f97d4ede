/// The live grants in memory: plain values, no locks, no database.
struct GrantIndex {
    private var grants: [Principal: [ItemKey: Grant]] = [:]

    /// The grant that allows the wanted access, if there is one.
    func grant(for principal: Principal, item: ItemKey, wanted: AccessLevel) -> Grant? {
        guard let grant = grants[principal]?[item], grant.access >= wanted else { return nil }
        return grant
    }

    func grants(matching filter: GrantFilter) -> [Grant] {
        let candidates = filter.principal.map { grants[$0].map { [$0] } ?? [] } ?? Array(grants.values)
        return candidates.flatMap(\.values)
            .filter { filter.matches(principal: $0.principal, item: $0.item) }
            .sorted { $0.id < $1.id }
    }

    mutating func insert(_ grant: Grant) {
        grants[grant.principal, default: [:]][grant.item] = grant
    }

    mutating func remove(_ grant: Grant) {
        grants[grant.principal]?[grant.item] = nil
        if grants[grant.principal]?.isEmpty == true { grants[grant.principal] = nil }
    }
}
