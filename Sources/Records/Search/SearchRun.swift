import FoundationEssentials
import GRDB
import Rights

/// One search: finds candidates with the index of words, compares them, and orders them. Runs inside a read.
struct SearchRun {
    // What is needed of a candidate until it is known which are the best.
    private struct Candidate {
        let number: Int64
        let parent: Int64
        let modified: Int64?
        let score: Double

        static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            if left.score != right.score { return left.score > right.score }
            return left.number > right.number
        }
    }

    private let database: Database
    private let query: SearchQuery
    private let limits: SearchLimits
    private let now: Double
    private let filter: SearchFilter
    private let comparison: NameComparison
    private let bounds: Set<Int64>?
    private let granted: Set<Int64>?
    private var folders: SearchFolders
    private var found: [Int64: Candidate] = [:]
    private var folded: [UInt8] = []
    private var isCut = false

    init(
        _ database: Database, seed: Int64, _ query: SearchQuery, _ scope: SearchScope, _ limits: SearchLimits,
        now: Double
    ) throws {
        self.database = database
        self.query = query
        self.limits = limits
        self.now = now
        filter = try SearchFilter(database, query, scope)
        comparison = NameComparison(query)
        folders = SearchFolders(database)
        let table = DocumentTable(database, seed: seed)
        func numbers(_ keys: [ItemKey]) throws -> Set<Int64> {
            Set(try keys.compactMap { $0.isStorable ? try table.identifier(of: $0) : nil })
        }
        bounds = scope.folders.isEmpty ? nil : try numbers(scope.folders)
        granted = try scope.granted.map(numbers)
    }

    // MARK: Searching

    mutating func answer(limit: Int) throws -> SearchAnswer {
        guard !filter.isEmpty, limit > 0 else { return SearchAnswer() }
        if let granted {
            try takeBelow(granted, most: limits.granted)
        } else if let bounds, query.wanted.isEmpty {
            try takeBelow(bounds, most: limits.inFolders)
        } else if query.wanted.isEmpty {
            try takeNewest(limit)
        } else {
            try takeWords(limit)
        }
        let ordered = found.values.sorted(by: Candidate.isBefore)
        return SearchAnswer(
            hits: try hits(Array(ordered.prefix(limit))), isCut: isCut || ordered.count > limit)
    }

    mutating func matches(_ numbers: [Int64]) throws -> [SearchHit] {
        guard !filter.isEmpty else { return [] }
        for start in stride(from: 0, to: numbers.count, by: 500) {
            let list = numbers[start..<min(start + 500, numbers.count)].map(String.init).joined(separator: ",")
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(Self.columns) FROM document WHERE id IN (\(list)) AND \(filter.sql)")
            while let row = try rows.next() {
                if let granted, try !folders.isBelow(row[0], granted) { continue }
                try take(row)
            }
        }
        return try hits(found.values.sorted(by: Candidate.isBefore))
    }

    private static let columns = "document.id, document.parent, document.name, document.modified"

    // Everything in some folders. For a confined client these are its rights, and the work depends on nothing else.
    private mutating func takeBelow(_ tops: Set<Int64>, most: Int) throws {
        guard !tops.isEmpty else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                WITH RECURSIVE below (id) AS (
                    SELECT value FROM json_each(?)
                    UNION SELECT document.id FROM below CROSS JOIN document ON parent = below.id
                    LIMIT \(most + 1)
                ) SELECT \(Self.columns), \(filter.sql) IS TRUE FROM below CROSS JOIN document ON document.id = below.id
                """, arguments: ["[" + tops.map(String.init).joined(separator: ",") + "]"])
        var count = 0
        while let row = try rows.next() {
            count += 1
            if count > most {
                isCut = true
                break
            }
            if row[4] == true { try take(row) }
        }
    }

    private mutating func takeNewest(_ limit: Int) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(Self.columns), \(filter.sql) IS TRUE FROM document ORDER BY modified DESC LIMIT \(limits.scanned)
                """)
        var count = 0
        while let row = try rows.next() {
            count += 1
            if row[4] == true { try take(row) }
            // Without words, the newest are the best.
            if found.count > limit, query.wanted.isEmpty || found.count >= limits.compared { return isCut = true }
        }
        guard count == limits.scanned else { return }
        guard comparison.isAny else { return isCut = true }
        // What the query describes is rare: all rows are looked at in their own order, which is much faster.
        let all = try Row.fetchCursor(
            database,
            sql: "SELECT \(Self.columns) FROM document WHERE \(filter.sql) ORDER BY +modified DESC LIMIT \(limit + 1)")
        while let row = try all.next() { try take(row) }
    }

    private mutating func takeWords(_ limit: Int) throws {
        let words = query.wanted.map(\.text)
        let all = try words.map { try WordParts.expression($0, database) }
        let known = all.compactMap(\.self)
        guard !known.isEmpty else { return try takeNewest(limit) }
        if try takeIndexed(known.joined(separator: " AND ")) {
            // Among so many names, those in which every word begins a word are found all the same.
            let starts = try words.compactMap { try WordParts.expression(" " + $0, database) }
            if !starts.isEmpty { _ = try takeIndexed(starts.joined(separator: " AND ")) }
        }
        guard words.count > 1, found.count < limit, granted == nil else { return }
        try takeInNamedFolders(words, all)
    }

    // The name of a folder may have a word that the name of the item does not have.
    private mutating func takeInNamedFolders(_ words: [String], _ expressions: [String?]) throws {
        for (index, expression) in expressions.enumerated() {
            guard let expression else { continue }
            let tops = try Int64.fetchSet(
                database,
                sql: """
                    SELECT rowid FROM folder_word WHERE folder_word MATCH ?
                    ORDER BY rowid DESC LIMIT \(Self.mostNamedFolders)
                    """, arguments: [expression])
            guard !tops.isEmpty else { continue }
            if tops.count == Self.mostNamedFolders {
                // So many folders that the other words say more.
                let others = expressions.enumerated().filter { $0.offset != index }.compactMap(\.element)
                if !others.isEmpty { _ = try takeIndexed(others.joined(separator: " AND ")) }
            } else {
                try takeBelow(tops, most: limits.compared)
            }
        }
    }

    private static let mostNamedFolders = 100

    /// - Returns: whether there were more candidates than are compared.
    private mutating func takeIndexed(_ expression: String) throws -> Bool {
        // Not a cached statement: there are as many filters as queries.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(Self.columns) FROM word CROSS JOIN document ON document.id = word.rowid
                WHERE word MATCH ? AND \(filter.sql) ORDER BY word.rowid DESC LIMIT \(limits.compared + 1)
                """, arguments: [expression])
        var count = 0
        while let row = try rows.next() {
            count += 1
            if count > limits.compared {
                isCut = true
                return true
            }
            try take(row)
        }
        return false
    }

    // MARK: Comparing

    private mutating func take(_ row: Row) throws {
        let number: Int64 = row[0]
        guard found[number] == nil else { return }
        let parent: Int64 = row[1]
        var places: [SearchRank.Place] = []
        var isPhrase = false
        if !comparison.isAny {
            let stemLength = try row.withUnsafeData(atIndex: 2) { data -> Int in
                guard let data else { return 0 }
                return data.withUnsafeBytes { bytes in
                    NameFolding.fold(bytes, into: &folded)
                    return Self.stemLength(bytes, folded)
                }
            }
            // The names of the folders around what a client was granted are none of its business.
            let found = try comparison.places(in: folded, stemLength: stemLength) {
                granted == nil ? try folders.above(parent).compactMap(\.folded) : []
            }
            guard let found else { return }
            places = found
            isPhrase = comparison.isPhrase(in: folded)
        }
        if let bounds, try !folders.isBelow(parent, bounds) { return }
        let modified: Int64? = row[3]
        found[number] = Candidate(
            number: number, parent: parent, modified: modified,
            score: SearchRank.score(
                places, isPhrase: isPhrase, modified: modified.map(Double.init), now: now))
    }

    // How much of a folded name is before its extension.
    private static func stemLength(_ name: UnsafeRawBufferPointer, _ folded: [UInt8]) -> Int {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return folded.count }
        // The extension is folded to as many bytes if it is ASCII, and others are not known as extensions.
        let length = folded.count - (name.count - dot)
        return length > 0 && folded[length] == UInt8(ascii: " ") ? length : folded.count
    }

    // MARK: Results

    private mutating func hits(_ candidates: [Candidate]) throws -> [SearchHit] {
        let statement = try database.cachedStatement(
            sql: "SELECT account, item, name, kind, size, flags FROM document WHERE id = ?")
        var hits: [SearchHit] = []
        for candidate in candidates {
            guard let row = try Row.fetchOne(statement, arguments: [candidate.number]),
                let account = filter.accounts[row[0]]
            else { continue }
            let (name, flags): (String, SearchSchema.Flags) = (row[2], .init(rawValue: row[5]))
            let item = IndexedItem(
                key: ItemKey(provider: account.provider, domain: account.domain, identifier: row[1]),
                parent: try folders.identifier(candidate.parent) ?? "", name: name,
                contentType: filter.kinds[row[3]] ?? "public.data", size: row[4],
                modified: candidate.modified.map(Double.init), isFolder: flags.contains(.folder),
                isDownloaded: flags.contains(.downloaded), isPinned: flags.contains(.pinned),
                isUnsent: flags.contains(.unsent), isLink: flags.contains(.link))
            hits.append(
                SearchHit(item: item, path: try folders.path(of: name, in: candidate.parent), score: candidate.score))
        }
        return hits
    }
}
