package import FoundationEssentials
import GRDB
package import Rights

extension ItemIndex {
    /// Stores descriptions from a provider, each on its own, without changing the items' local state.
    ///
    /// A provisional item stays unchanged. A description that cannot be stored is skipped
    /// (``ItemDescription/isStorable``), and so is that of an item that is being deleted (``DeletionStore``).
    /// - Parameter isAnswer: whether the descriptions were requested at `moment`. What was learned since then stays,
    ///   because the answer may be older.
    /// - Returns: the current rows, and for each whether it was known with other content.
    @discardableResult
    package func merge(
        _ descriptions: [ItemDescription], provider: String, domain: String, at moment: Date = .now,
        isAnswer: Bool = false
    ) async throws -> [(item: RemoteItem, changed: Bool)] {
        try await database.writeRelearnable { [hub = database.keyChanges] database in
            var changes: [KeyChange] = []
            let taken = try Self.takeIn(
                database, descriptions, provider: provider, domain: domain, at: moment, isAnswer: isAnswer, &changes)
            hub.announce(changes, after: database)
            return taken.map { (item: $0.item, changed: $0.isChanged) }
        }
    }

    /// Stores a complete listing of a folder: items that it lacks are gone, except provisional and protected ones.
    ///
    /// If more than half of at least ``ListingRule/smallestHeld`` items are missing, the listing is held unless
    /// accepted: new items are stored, nothing is removed. The next listing that is not held ends that. Every entry is
    /// in this folder, whatever parent it names; an entry that is the folder itself or one above it is skipped.
    /// - Parameters:
    ///   - protected: identifiers of items that must not be removed, for instance because of unsent changes.
    ///   - accept: whether to believe the listing however much is missing.
    ///   - isAnswer: as for ``merge(_:provider:domain:at:isAnswer:)``.
    package func replaceListing(
        of folder: ItemKey, with descriptions: [ItemDescription], protected: Set<BytewiseText> = [],
        accept: Bool = false, at moment: Date = .now, isAnswer: Bool = false
    ) async throws -> ListingOutcome {
        guard folder.isStorable else { throw IndexError.unusableDescription }
        let isOne = descriptions.count <= Self.listingBatch
        var start = (above: Set<BytewiseText>(), known: 0)
        if !isOne {
            start = try await database.read { database in
                (
                    above: try RemoteItemTable.ancestors(database, of: folder),
                    known: try RemoteItemTable.marks(database, of: folder).count { !$0.isProvisional }
                )
            }
        }
        let (startAbove, startKnown) = start
        var listing = Listing(folder: folder, moment: moment, isAnswer: isAnswer)
        var rest = descriptions[...]
        // A large listing is stored in parts, so that other changes can run in between. The listing is complete
        // already, so each part is true by itself.
        while !isOne, !rest.isEmpty {
            let (part, before) = (rest.prefix(Self.listingBatch), listing)
            rest = rest.dropFirst(Self.listingBatch)
            listing = try await database.write { [hub = database.keyChanges] database in
                var (listing, changes) = (before, [KeyChange]())
                try listing.takeIn(database, part, above: startAbove, &changes)
                hub.announce(changes, after: database)
                return listing
            }
        }
        let (last, before) = (rest, listing)
        return try await database.write { [hub = database.keyChanges] database in
            var (listing, changes) = (before, [KeyChange]())
            let above = try RemoteItemTable.ancestors(database, of: folder)
            let known = isOne ? try RemoteItemTable.marks(database, of: folder).count { !$0.isProvisional } : startKnown
            // Items that were learned between two parts are not missing.
            let since = isOne ? nil : moment
            try listing.takeIn(database, last, above: above, &changes)
            let missing = try RemoteItemTable.marks(database, of: folder).filter {
                !$0.isProvisional && !listing.present.contains($0.identifier) && !$0.isChecked(after: since)
            }
            let isHeld = !accept && ListingRule.isHeld(known: known, missing: missing.count)
            var removed: [RemoteItem] = []
            if !isHeld {
                let gone = try missing.compactMap {
                    try RemoteItemTable.item(database, folder.sibling($0.identifier.text))
                }
                removed = try Self.removeTrees(database, gone, sparing: protected, visited: above, &changes)
            }
            try Self.recordListed(database, folder, at: moment)
            hub.announce(changes, after: database)
            return ListingOutcome(
                changed: listing.changed, added: listing.added, removed: removed, hidden: listing.hidden,
                held: try Self.recordHeld(
                    database, isHeld ? (known, listing.present.count) : nil, of: folder, at: moment))
        }
    }

    /// The number of items in one transaction.
    static let listingBatch = 2_000

    // The part of a listing that has been stored so far.
    private struct Listing {
        let folder: ItemKey
        let moment: Date
        let isAnswer: Bool
        var present: Set<BytewiseText> = []
        var changed: [RemoteItem] = []
        var added = 0
        var hidden: Set<BytewiseText> = []

        mutating func takeIn(
            _ database: Database, _ descriptions: ArraySlice<ItemDescription>, above: Set<BytewiseText>,
            _ changes: inout [KeyChange]
        ) throws {
            let entries = descriptions.compactMap { entry -> ItemDescription? in
                guard entry.isStorable, !above.contains(BytewiseText(entry.identifier)) else { return nil }
                var entry = entry
                entry.parent = folder.identifier
                return entry
            }
            let taken = try ItemIndex.takeIn(
                database, entries, provider: folder.provider, domain: folder.domain, at: moment, isAnswer: isAnswer,
                &changes)
            present.formUnion(entries.map { BytewiseText($0.identifier) })
            changed += taken.filter(\.isChanged).map(\.item)
            added += taken.count(where: \.isNew)
            guard taken.count < entries.count else { return }
            hidden.formUnion(entries.map { BytewiseText($0.identifier) })
            hidden.subtract(taken.map { BytewiseText($0.item.key.identifier) })
        }
    }

    /// Removes an item that is confirmed gone, and everything below it, except provisional and protected items and
    /// everything below those.
    ///
    /// A partial download stays recorded, so that its file can be found.
    /// - Returns: the removed items, as they were.
    @discardableResult
    package func remove(_ key: ItemKey, protected: Set<BytewiseText> = []) async throws -> [RemoteItem] {
        guard key.isStorable else { return [] }
        return try await database.write { [hub = database.keyChanges] database in
            guard var item = try RemoteItemTable.item(database, key) else { return [] }
            var changes: [KeyChange] = []
            var above = try RemoteItemTable.ancestors(database, of: key)
            above.remove(BytewiseText(key.identifier))
            let wasProvisional = item.isProvisional
            // A provisional item may be removed when it is named explicitly.
            item.isProvisional = false
            var removed = try Self.removeTrees(database, [item], sparing: protected, visited: above, &changes)
            hub.announce(changes, after: database)
            if let first = removed.firstIndex(where: { $0.key == key }) {
                removed[first].isProvisional = wasProvisional
            }
            return removed
        }
    }

    struct TakenIn {
        var item: RemoteItem
        var isChanged: Bool
        var isNew: Bool
    }

    static func takeIn(
        _ database: Database, _ descriptions: [ItemDescription], provider: String, domain: String, at moment: Date,
        isAnswer: Bool = false, _ changes: inout [KeyChange]
    ) throws -> [TakenIn] {
        let now = Date.now
        let usable = try DeletionTable.visible(
            database, descriptions.filter(\.isStorable), provider: provider, domain: domain)
        let hasAliases = try Self.hasAliases(database, provider: provider, domain: domain)
        var known = try RemoteItemTable.items(
            database, provider: provider, domain: domain, identifiers: usable.map(\.identifier))
        var result: [TakenIn] = []
        for description in usable {
            let name = BytewiseText(description.identifier)
            guard let before = known[name] else {
                let item = RemoteItem(
                    key: ItemKey(provider: provider, domain: domain, identifier: description.identifier),
                    description: description, checked: moment.stored)
                try RemoteItemTable.save(database, item)
                if hasAliases { try appeared(database, description, at: item.key, &changes) }
                known[name] = item
                result.append(TakenIn(item: item, isChanged: false, isNew: true))
                continue
            }
            // A time in the future comes from a clock that was set back: it proves nothing.
            let isKnownBetter = isAnswer && (before.checked.map { $0 > moment.stored && $0 <= now } ?? false)
            if before.isProvisional || isKnownBetter {
                result.append(TakenIn(item: before, isChanged: false, isNew: false))
                continue
            }
            var item = before
            item.description = description
            item.checked = moment.stored
            if !description.isFolder { item.listed = nil }
            try RemoteItemTable.save(database, item)
            known[name] = item
            result.append(
                TakenIn(
                    item: item, isChanged: description.hasOtherContent(than: before.description), isNew: false))
        }
        return result
    }

    /// Removes items with everything below them, folder by folder. Their grants move to tombstone identifiers.
    /// - Parameter visited: items that are never removed or entered, because a provider's parents may form a cycle.
    static func removeTrees(
        _ database: Database, _ roots: [RemoteItem], sparing protected: Set<BytewiseText>, visited: Set<BytewiseText>,
        _ changes: inout [KeyChange]
    ) throws -> [RemoteItem] {
        var visited = visited
        var waiting = roots
        var removed: [RemoteItem] = []
        while let item = waiting.popLast() {
            guard !item.isProvisional, !protected.contains(BytewiseText(item.key.identifier)),
                visited.insert(BytewiseText(item.key.identifier)).inserted
            else { continue }
            try RemoteItemTable.delete(database, item.key)
            try bury(database, item, &changes)
            removed.append(item)
            guard item.description.isFolder else { continue }
            try recordHeld(database, nil, of: item.key, at: .now)
            waiting += try RemoteItemTable.children(database, of: item.key)
        }
        return removed
    }

    /// Records that the index has all children of folders: these were just made, with what is known to be in them.
    package func noteListed(_ folders: [ItemKey], at moment: Date = .now) async throws {
        guard !folders.isEmpty else { return }
        try await database.writeRelearnable { database in
            for folder in folders { try Self.recordListed(database, folder, at: moment) }
        }
    }

    private static func recordListed(_ database: Database, _ folder: ItemKey, at moment: Date) throws {
        if var item = try RemoteItemTable.item(database, folder) {
            item.listed = moment
            try RemoteItemTable.save(database, item)
        } else if folder.identifier == ItemKey.rootIdentifier {
            let description = ItemDescription(identifier: folder.identifier, parent: "", name: "", isFolder: true)
            try RemoteItemTable.save(database, RemoteItem(key: folder, description: description, listed: moment))
        }
    }

    @discardableResult
    private static func recordHeld(
        _ database: Database, _ counts: (known: Int, listed: Int)?, of folder: ItemKey, at moment: Date
    ) throws -> HeldListing? {
        let key: StatementArguments = [folder.provider, folder.domain, folder.identifier]
        guard let counts else {
            try database.cachedStatement(
                sql: "DELETE FROM held_listing WHERE provider = ? AND domain = ? AND item = ?"
            ).execute(arguments: key)
            return nil
        }
        return try Row.fetchOne(
            database,
            sql: """
                INSERT INTO held_listing (provider, domain, item, known, listed, since) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (provider, domain, item)
                DO UPDATE SET known = excluded.known, listed = excluded.listed RETURNING *
                """, arguments: key + [counts.known, counts.listed, moment.milliseconds]
        ).map(HeldListing.init(row:))
    }
}
