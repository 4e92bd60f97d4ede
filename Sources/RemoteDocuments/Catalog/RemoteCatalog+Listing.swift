package import DocentInterfaces
import FoundationEssentials
import HostCore
import Logging
package import Records
package import Rights

struct ListingQuestion: Hashable, Sendable {
    var folder: ItemKey
    var accept: Bool
}

/// The outcome of a complete listing.
package struct ListingResult: Sendable {
    /// The number of changed and new items.
    package var changed = 0
    /// The number of removed items.
    package var removed = 0
    /// Whether so many items were missing that the listing has to be accepted first.
    package var isHeld = false
}

extension RemoteCatalog {
    /// One page of a folder, ordered by name. The first page asks the provider unless the index is fresh; further pages
    /// come from the index alone.
    ///
    /// - Returns: the page. The first one also says why remembered items are returned; nil when the provider was asked.
    /// - Throws: ``Failure``, when the folder was never listed and its provider cannot be reached either.
    package func children(
        of given: ItemKey, page: String?
    ) async throws -> (items: [RemoteItem], nextPage: String?, remembered: Wire.Remembered?) {
        try Self.requireLiving(given)
        try await waitForMove(of: given)
        let key = try await known(given)?.key ?? given
        recent.note(key)
        let remembered = page == nil ? try await ensureListed(key) : nil
        let found = try await knownChildren(of: key, page: page)
        return (found.items, found.nextPage, remembered)
    }

    /// One page of a folder as the index has it, ordered by name.
    ///
    /// - Parameter key: the folder under its current identifier.
    func knownChildren(of key: ItemKey, page: String?) async throws -> (items: [RemoteItem], nextPage: String?) {
        let start = try ListingPage.start(page)
        return ListingPage.cut(try await index.children(of: key, after: start, limit: ListingPage.rowLimit))
    }

    // Nil when the provider was asked now or a moment ago.
    private func ensureListed(_ key: ItemKey) async throws -> Wire.Remembered? {
        let known = try await index.item(key)
        if let known {
            guard known.description.isFolder else {
                throw Failure(.invalidArgument, "\"\(known.description.name)\" is not a folder.")
            }
            // The provider does not know an item that was created here and not uploaded.
            if known.isProvisional { return nil }
            if settings.isFresh(known.listed) {
                return access.monitor.obstacle(key.provider, key.domain).map { Self.remembered(known, $0) }
            }
        }
        do {
            let patience = known?.listed == nil ? nil : Duration.seconds(settings.patienceSeconds)
            guard let result = try await list(key, patience: patience) else {
                return Self.remembered(known, "\(key.provider) has not answered yet.")
            }
            return result.isHeld ? Self.remembered(known, Self.heldReason) : nil
        } catch let failure as Failure {
            switch Existence(failure) {
            case .missing:
                if let known, try await isGone(known) { throw Self.gone(known, failure) }
                if known?.listed == nil { throw failure }
            case .unknown: if known?.listed == nil { throw failure }
            case .refused: throw failure
            }
            return Self.remembered(known, failure.message)
        }
    }

    private static let heldReason =
        "Its provider now lists less than half of this folder; `docent refresh --accept` accepts that."

    private static func remembered(_ folder: RemoteItem?, _ reason: String) -> Wire.Remembered {
        Wire.Remembered(reason: reason, since: folder?.listed?.timeIntervalSince1970)
    }

    // A folder without known contents is listed anyway.
    private func isReplaced(_ folder: ItemKey) async throws -> Bool {
        guard !replaced.isEmpty, try await replaced.contains(folder, in: index) else { return false }
        return try await index.item(folder)?.listed != nil
    }

    /// Takes in a complete listing of a folder.
    ///
    /// - Parameters:
    ///   - accept: whether to believe a listing that lacks most of the known items.
    ///   - patience: how long to wait; nil waits until the listing ends.
    /// - Returns: nil when the patience ran out; the listing continues.
    package func list(
        _ key: ItemKey, accept: Bool = false, patience: Duration? = nil
    ) async throws -> ListingResult? {
        let question = ListingQuestion(folder: key, accept: accept)
        return try await listings.value(for: question, patience: patience) { try await takeListing(key, accept) }
    }

    private func takeListing(_ key: ItemKey, _ accept: Bool) async throws -> ListingResult {
        let turn = ListingTurn()
        do {
            let result = try await takeListing(key, accept, turn)
            await end(turn, key.provider)
            return result
        } catch {
            await end(turn, key.provider)
            throw error
        }
    }

    // Whether a listing is large and holds its provider's turn.
    private final class ListingTurn {
        var isTaken = false
    }

    private func end(_ turn: ListingTurn, _ provider: String) async {
        guard turn.isTaken else { return }
        await turns.give(provider)
        FreedMemory.giveBackSoon()
    }

    private func takeListing(
        _ key: ItemKey, _ accept: Bool, _ turn: ListingTurn
    ) async throws -> ListingResult {
        let began = Date.now
        try await requireSettled(key)
        if try await isReplaced(key) { return ListingResult() }
        let folder = if let known = try await index.item(key) { known } else { try await ask(key) }
        // Not keyed by identifier: Swift treats canonically equivalent strings as equal, but the index compares bytes.
        var descriptions: [ItemDescription] = []
        var protected: Set<BytewiseText> = []
        var seen: Set<BytewiseText> = []
        var pages = PageSequence(
            provider: key.provider, folder: folder.description.name.isEmpty ? key.identifier : folder.description.name,
            limits: settings.listingLimits)
        var page: String?
        var leftOut = 0
        repeat {
            let reply = try await access.call(
                FileProviderInterface.Children.self,
                .init(domain: key.domain, parent: key.identifier, page: page), provider: key.provider,
                domain: key.domain)
            let before = seen.count
            for item in reply.items { seen.insert(BytewiseText(item.identifier)) }
            page = try pages.next(
                reply.nextPage, items: reply.items.count, bytes: reply.items.reduce(0) { $0 + Self.textBytes($1) },
                repeated: reply.items.count - (seen.count - before))
            if pages.count > ListingTurns.largeCount, !turn.isTaken {
                await turns.take(key.provider)
                turn.isTaken = true
            }
            for item in reply.items {
                if let problem = ItemDescription.problem(item, isChild: true) {
                    leftOut += 1
                    if leftOut <= Self.mostNamedLeftOut {
                        logger.warning(
                            "an item of a listing was left out",
                            metadata: [
                                "provider": "\(key.provider)", "item": "\(item.identifier)", "why": "\(problem)",
                            ])
                    }
                    protected.insert(BytewiseText(item.identifier))
                } else if !item.identifier.isSame(as: key.identifier),
                    !moves.hasLeft(key.sibling(item.identifier), since: began)
                {
                    descriptions.append(ItemDescription(item, in: key.identifier))
                }
            }
        } while page != nil
        seen = []
        if leftOut > Self.mostNamedLeftOut {
            logger.warning(
                "more items of a listing were left out",
                metadata: ["provider": "\(key.provider)", "count": "\(leftOut - Self.mostNamedLeftOut)"])
        }
        // The folder moved during the listing, so its old place was listed.
        guard !moves.hasLeft(key, since: began) else { return ListingResult() }
        try await requireSettled(key)
        // The package was replaced during the listing. It is not yet known which of the listed versions are ours.
        if try await isReplaced(key) { return ListingResult() }
        // Items that were saved or created here during the listing are not missing, and neither are items that may have
        // moved.
        protected.formUnion(moves.sources(provider: key.provider, domain: key.domain))
        protected.formUnion(states.identifiers(provider: key.provider, domain: key.domain))
        let known = try await index.checkedChildren(of: key)
        protected.formUnion(known.filter { $0.checked.map { $0 > began } ?? false }.map { BytewiseText($0.identifier) })
        try await keepSaved(in: key, listed: descriptions, protected: protected)
        let wasListed = try await index.item(key)?.listed != nil
        let outcome = try await index.replaceListing(
            of: key, with: descriptions, protected: protected, accept: accept, at: began, isAnswer: true)
        note(changed: outcome.changed)
        await note(removed: outcome.removed)
        // The items of a first listing are not reported as new.
        if wasListed, outcome.added > 0 {
            changes.entriesChanged(key)
            let before = Set(known.map { BytewiseText($0.identifier) }).union(outcome.hidden)
            for item in descriptions where !before.contains(BytewiseText(item.identifier)) {
                changes.descriptionChanged(key.sibling(item.identifier))
            }
        }
        if let held = outcome.held {
            logger.warning(
                "a listing is held back: more than half of it is missing",
                metadata: [
                    "provider": "\(key.provider)", "folder": "\(key.identifier)", "before": "\(held.before)",
                    "after": "\(held.after)",
                ])
        }
        return ListingResult(
            changed: outcome.changed.count + outcome.added, removed: outcome.removed.count,
            isHeld: outcome.held != nil)
    }

    // Limits the log when everything in a listing is wrong.
    private static let mostNamedLeftOut = 10

    private static func textBytes(_ item: Wire.ProviderItem) -> Int {
        item.identifier.utf8.count + item.name.utf8.count + item.parent.utf8.count + (item.version?.utf8.count ?? 0)
            + (item.contentType?.utf8.count ?? 0) + (item.thumbnail?.utf8.count ?? 0)
            + (item.capabilities?.reduce(0) { $0 + $1.utf8.count } ?? 0)
    }
}
