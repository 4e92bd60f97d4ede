import FoundationEssentials
import GRDB

extension Principal {
    init(row: Row) {
        self.init(kind: Kind(stored: row["principal_kind"]), identifier: row["principal_id"])
    }

    /// Refuses a principal of an unknown kind before anything is stored for it (I2).
    func requireKnown() throws(AccessError) {
        if kind == .unknown { throw .unrecognisedPrincipal }
    }
}

extension ItemKey {
    init(row: Row) {
        self.init(provider: row["provider"], domain: row["domain"], identifier: row["item"])
    }
}

extension Date {
    /// Whole milliseconds since 1970, the form in which the database keeps moments.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// This moment as the database would give it back.
    var stored: Date { Date(milliseconds: milliseconds) }
}

/// Conditions of a query, joined by AND, with their arguments.
struct Condition {
    private var clauses: [String] = []
    private(set) var arguments = StatementArguments()

    init() {}

    init(principal: Principal, item: ItemKey) {
        require(principal)
        require(item)
    }

    mutating func require(_ clause: String, _ values: (any DatabaseValueConvertible)?...) {
        clauses.append(clause)
        arguments += StatementArguments(values)
    }

    mutating func require(_ principal: Principal) {
        require("principal_kind = ? AND principal_id = ?", principal.kind.rawValue, principal.identifier)
        if principal.kind == .unknown { require("0") }
    }

    mutating func require(_ item: ItemKey) {
        require("provider = ? AND domain = ? AND item = ?", item.provider, item.domain, item.identifier)
    }

    /// The conditions alone.
    var clause: String { clauses.joined(separator: " AND ") }

    /// ` WHERE …`, or nothing without conditions.
    var sql: String { clauses.isEmpty ? "" : " WHERE " + clause }
}
