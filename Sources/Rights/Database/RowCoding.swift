package import GRDB

extension Principal {
    /// Reads the principal of a row.
    package init(row: Row) {
        self.init(kind: Kind(stored: row["principal_kind"]), identifier: row["principal_id"])
    }

    /// Refuses a principal of an unknown kind before anything is stored for it.
    package func requireKnown() throws(AccessError) {
        if kind == .unknown || !identifier.isStorable { throw .unrecognisedPrincipal }
    }
}

extension ItemKey {
    /// Reads the key of a row's item.
    package init(row: Row) {
        self.init(provider: row["provider"], domain: row["domain"], identifier: row["item"])
    }
}

/// Conditions of a query, joined by AND, with their arguments.
package struct Condition {
    private var clauses: [String] = []
    /// The values for the conditions, in order.
    package private(set) var arguments = StatementArguments()

    /// No condition.
    package init() {}

    init(principal: Principal, item: ItemKey) {
        require(principal)
        require(item)
    }

    /// Adds a condition. SQLite ends a text at a NUL, where two names could become one, so a value with a NUL matches
    /// nothing.
    package mutating func require(_ clause: String, _ values: (any DatabaseValueConvertible)?...) {
        clauses.append(values.contains { ($0 as? String)?.isStorable == false } ? "(0 AND \(clause))" : clause)
        arguments += StatementArguments(values)
    }

    /// Requires rows of a principal.
    package mutating func require(_ principal: Principal) {
        require("principal_kind = ? AND principal_id = ?", principal.kind.rawValue, principal.identifier)
        if principal.kind == .unknown { require("0") }
    }

    /// Requires rows of an item.
    package mutating func require(_ item: ItemKey) {
        require("provider = ? AND domain = ? AND item = ?", item.provider, item.domain, item.identifier)
    }

    /// The conditions without `WHERE`.
    package var clause: String { clauses.joined(separator: " AND ") }

    /// ` WHERE …`, or empty without conditions.
    package var sql: String { clauses.isEmpty ? "" : " WHERE " + clause }
}
