package import FoundationEssentials
import GRDB
package import Rights

extension SearchIndex {
    /// Searches.
    ///
    /// - Parameters:
    ///   - limit: the largest number of items in the answer.
    ///   - now: the present, for the order of the answer.
    package func find(
        _ query: SearchQuery, in scope: SearchScope, limit: Int, now: Date, limits: SearchLimits = SearchLimits()
    ) async throws -> SearchAnswer {
        try await read { [seed] database in
            var search = try SearchRun(database, seed: seed, query, scope, limits, now: now.timeIntervalSince1970)
            return try search.answer(limit: max(0, limit))
        }
    }

    /// What a search would find among these items.
    package func match(
        _ keys: [ItemKey], _ query: SearchQuery, in scope: SearchScope, now: Date,
        limits: SearchLimits = SearchLimits()
    ) async throws -> [SearchHit] {
        try await read { [seed] database in
            let table = DocumentTable(database, seed: seed)
            let numbers = try keys.compactMap { $0.isStorable ? try table.identifier(of: $0) : nil }
            var search = try SearchRun(database, seed: seed, query, scope, limits, now: now.timeIntervalSince1970)
            return try search.matches(numbers)
        }
    }
}
