/// Which grants, bookmarks or audit entries are meant. Every part that is set must match; an empty filter means all.
package struct GrantFilter: Hashable, Sendable {
    /// One principal, kind and identifier.
    package var principal: Principal?
    /// An identifier of any kind, as a user types it.
    package var clientIdentifier: String?
    /// A provider's bundle identifier.
    package var provider: String?
    /// An account within a provider; empty for the default one.
    package var domain: String?
    /// One document.
    package var item: ItemKey?

    /// Makes a filter.
    package init(
        principal: Principal? = nil, clientIdentifier: String? = nil, provider: String? = nil, domain: String? = nil,
        item: ItemKey? = nil
    ) {
        self.principal = principal
        self.clientIdentifier = clientIdentifier
        self.provider = provider
        self.domain = domain
        self.item = item
    }

    /// Whether the filter means this principal's access to this document.
    package func matches(principal candidate: Principal, item key: ItemKey) -> Bool {
        if let principal, principal != candidate { return false }
        if let clientIdentifier, clientIdentifier != candidate.identifier { return false }
        if let provider, provider != key.provider { return false }
        if let domain, domain != key.domain { return false }
        if let item, item != key { return false }
        return true
    }

    var condition: Condition {
        var condition = Condition()
        if let principal { condition.require(principal) }
        if let clientIdentifier { condition.require("principal_id = ?", clientIdentifier) }
        if let provider { condition.require("provider = ?", provider) }
        if let domain { condition.require("domain = ?", domain) }
        if let item { condition.require(item) }
        return condition
    }
}
