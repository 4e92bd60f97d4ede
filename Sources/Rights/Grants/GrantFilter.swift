package import FoundationEssentials

/// Which grants, bookmarks or audit entries are meant. Every part that is set must match; an empty filter means all.
package struct GrantFilter: Hashable, Sendable {
    /// One principal, kind and identifier.
    package var principal: Principal?
    /// An identifier of any kind, as a user types it.
    package var clientIdentifier: String?
    /// One kind of clients.
    package var kind: Principal.Kind?
    /// A provider's bundle identifier.
    package var provider: String?
    /// An account within a provider; empty for the default one.
    package var domain: String?
    /// One document.
    package var item: ItemKey?
    /// One grant by its number; of grants alone.
    package var id: Int64?
    /// Those that were first given before a moment; of grants alone.
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

    /// Whether the filter means this principal's access to this document, as far as that tells.
    package func matches(principal candidate: Principal, item key: ItemKey) -> Bool {
        if let principal, principal != candidate { return false }
        if let clientIdentifier, !clientIdentifier.isSame(as: candidate.identifier) { return false }
        if let kind, kind != candidate.kind { return false }
        if let provider, !provider.isSame(as: key.provider) { return false }
        if let domain, !domain.isSame(as: key.domain) { return false }
        if let item, item != key { return false }
        return true
    }

    /// Whether the filter means this grant.
    package func matches(_ grant: Grant) -> Bool {
        if let id, id != grant.id { return false }
        if let createdBefore, grant.created >= createdBefore.stored { return false }
        return matches(principal: grant.principal, item: grant.item)
    }

    /// The condition on any table that names clients and items.
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

    /// The condition on the table of grants.
    var grantCondition: Condition {
        var condition = condition
        if let id { condition.require("id = ?", id) }
        if let createdBefore { condition.require("created < ?", createdBefore.milliseconds) }
        return condition
    }
}
