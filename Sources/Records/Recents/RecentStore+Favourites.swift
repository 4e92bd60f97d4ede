package import FoundationEssentials
import GRDB
package import Rights

/// The documents and folders that the user marked.
extension RecentStore {
    /// Adds a favourite; one that exists keeps its place.
    ///
    /// - Returns: false if there are too many already.
    package func addFavourite(_ document: UsedDocument, at now: Date = .now) async throws -> Bool {
        guard document.isStorable else { throw IndexError.unusableDescription }
        return try await database.write { database in
            let key = document.key
            try database.execute(
                sql: """
                    INSERT INTO favourite (provider, domain, item, name, content_type, is_folder, added)
                    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                    WHERE (SELECT count(*) FROM favourite) < ?8 OR EXISTS (
                        SELECT 1 FROM favourite WHERE provider = ?1 AND domain = ?2 AND item = ?3)
                    ON CONFLICT (provider, domain, item) DO UPDATE SET
                        name = excluded.name, content_type = excluded.content_type, is_folder = excluded.is_folder
                    """,
                arguments: [
                    key.provider, key.domain, key.identifier, document.name, document.contentType, document.isFolder,
                    now.milliseconds, Self.mostFavourites,
                ])
            return database.changesCount > 0
        }
    }

    /// Removes a favourite.
    ///
    /// - Returns: whether it was one.
    @discardableResult
    package func removeFavourite(_ key: ItemKey) async throws -> Bool {
        guard key.isStorable else { return false }
        return try await database.write { database in
            var condition = Condition()
            condition.require(key)
            try database.execute(sql: "DELETE FROM favourite\(condition.sql)", arguments: condition.arguments)
            return database.changesCount > 0
        }
    }

    /// The favourites, in the order in which they were added.
    package func favourites() async throws -> [UsedDocument] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM favourite ORDER BY added, provider, domain, item")
                .map(UsedDocument.init(row:))
        }
    }
}
