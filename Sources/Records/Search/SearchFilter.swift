import GRDB

/// Everything of a query but its words, as a condition on the table of documents.
struct SearchFilter {
    /// The condition. All its values are numbers, so nothing has to be escaped.
    let sql: String
    /// The accounts that are searched.
    let accounts: [Int64: SearchAccount.Identity]
    /// The types of all items.
    let kinds: [Int64: String]

    /// Whether nothing can be found.
    var isEmpty: Bool { accounts.isEmpty }

    init(_ database: Database, _ query: SearchQuery, _ scope: SearchScope) throws {
        var accounts: [Int64: SearchAccount.Identity] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT id, provider, domain FROM account") {
            let identity = SearchAccount.Identity(provider: row[1], domain: row[2])
            if scope.accounts.contains(identity) { accounts[row[0]] = identity }
        }
        var kinds: [Int64: String] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT id, type FROM kind") { kinds[row[0]] = row[1] }
        self.accounts = accounts
        self.kinds = kinds
        // Top folders have no name that anybody searches.
        let conditions = [
            "document.account IN (\(Self.list(accounts.keys)))",
            "NOT document.flags & \(SearchSchema.Flags.unknown.rawValue)", "document.parent <> 0",
        ]
        let types = query.types.map { type in
            let fitting = kinds.filter { scope.conforms($0.value, type.value) != type.isExcluded }.keys
            return "document.kind IN (\(Self.list(fitting)))"
        }
        let all = conditions + types + query.states.flatMap(Self.conditions) + Self.ranges(query)
        sql = "(" + all.joined(separator: " AND ") + ")"
    }

    private static func list(_ numbers: some Sequence<Int64>) -> String {
        numbers.sorted().map(String.init).joined(separator: ",")
    }

    private static func conditions(_ state: SearchQuery.Condition<SearchQuery.State>) -> [String] {
        let flag: SearchSchema.Flags =
            switch state.value {
            case .downloaded, .cloud: .downloaded
            case .pinned: .pinned
            case .unsent: .unsent
            }
        let isSet = (state.value != .cloud) != state.isExcluded
        let condition = "\(isSet ? "" : "NOT ")document.flags & \(flag.rawValue)"
        // Folders are neither here nor elsewhere.
        return flag == .downloaded
            ? [condition, "NOT document.flags & \(SearchSchema.Flags.folder.rawValue)"] : [condition]
    }

    private static func ranges(_ query: SearchQuery) -> [String] {
        func whole(_ moment: Double) -> Int64 { Int64(min(max(moment, -1e12), 1e12).rounded(.up)) }
        var conditions: [String] = []
        if let newest = query.newest { conditions.append("document.modified >= \(whole(newest))") }
        if let oldest = query.oldest { conditions.append("document.modified < \(whole(oldest))") }
        if let smallest = query.smallest { conditions.append("document.size >= \(smallest)") }
        if let largest = query.largest { conditions.append("document.size <= \(largest)") }
        return conditions
    }
}
