package import FoundationEssentials

/// Selects grants, bookmarks or audit entries. Every part that is set must match; an empty filter selects all.
package struct GrantFilter: Hashable, Sendable {
    /// One principal, by kind and identifier.
    package var principal: Principal?
    /// An identifier of any kind, as a user types it.
    package var clientIdentifier: String?
    /// One kind of clients.
    package var kind: Principal.Kind?
    /// A provider's bundle identifier.
    package var provider: String?
    /// An account within a provider; empty for the default account.
    package var domain: String?
    /// One document.
    package var item: ItemKey?
    /// One grant by its number; applies to grants only.
    package var id: Int64?
    /// Grants that were first given before a moment; applies to grants only.
    package var createdBefore: Date?

    /// Makes a filter.
    package init(
        principal: Principal? = nil, clientIdentifier: String? = nil, kind: Principal.Kind? = nil,
        provider: String? = nil, domain: String? = nil, item: ItemKey? = nil, id: Int64? = nil,
        createdBefore: Date? = nil
    ) {
        self.principal = principal
        self.clientIdentifier = clientIdentifier
        self.kind = kind
        self.provider = provider
        self.domain = domain
        self.item = item
        self.id = id
        self.createdBefore = createdBefore
    }

    /// Whether the parts that concern principals and items match.
    package func matches(principal candidate: Principal, item key: ItemKey) -> Bool {
        if let principal, principal != candidate { return false }
        if let clientIdentifier, !clientIdentifier.isSame(as: candidate.identifier) { return false }
        if let kind, kind != candidate.kind { return false }
        if let provider, !provider.isSame(as: key.provider) { return false }
        if let domain, !domain.isSame(as: key.domain) { return false }
        if let item, item != key { return false }
        return true
    }

    /// Whether the filter selects this grant.
    package func matches(_ grant: Grant) -> Bool {
        if let id, id != grant.id { return false }
        if let createdBefore, grant.created >= createdBefore.stored { return false }
        return matches(principal: grant.principal, item: grant.item)
    }

    /// The condition for any table with clients and items.
    var condition: Condition {
        var condition = Condition()
        if let principal { condition.require(principal) }
        if let clientIdentifier { condition.require("principal_id = ?", clientIdentifier) }
        if let kind { condition.require("principal_kind = ?", kind.rawValue) }
        if let provider { condition.require("provider = ?", provider) }
        if let domain { condition.require("domain = ?", domain) }
        if let item { condition.require(item) }
        return condition
    }

    /// The condition for the table of grants.
    var grantCondition: Condition {
        var condition = condition
        if let id { condition.require("id = ?", id) }
        if let createdBefore { condition.require("created < ?", createdBefore.milliseconds) }
        return condition
    }
}
