import DocentInterfaces
import FoundationEssentials
package import HostCore
import Records
import Rights
import Varlink

extension SearchService {
    /// Searches, then sends what changes, until the task is cancelled. What the client does not read in time becomes
    /// one larger answer later; nothing piles up for it.
    ///
    /// - Throws: ``Failure`` `Unavailable` when the client has too many such searches.
    package func follow(
        _ session: Session, _ request: SearchRequest, _ send: @Sendable (SearchReply) async throws -> Void
    ) async throws {
        let holder = session.principal.shareHolder
        do throws(PrincipalShares.Refusal) {
            try shares.take(for: holder)
        } catch {
            throw error.failure(
                holder, "searches that wait for changes", suggestion: "End one of them, then try again.")
        }
        defer { shares.give(of: holder) }
        // Before the search, so that nothing is missed between it and the first change.
        let search = live.add()
        defer { live.remove(search) }
        let open = try await accounts.open()
        try await makeReady(open, isConfined: session.principal.isConfined)
        var state = try await gather(session, request)
        var shown = Shown(state.items)
        var gaps = try await gaps(session, open)
        try await Self.send(state, gaps: gaps, send)
        try await search.deliver { news in
            let now = try await self.gaps(session, try await accounts.open())
            let changedGaps = now == gaps ? nil : now
            gaps = now
            let difference: Shown.Difference
            if news.isAll || shown.isFull(request.limit) {
                state = try await gather(session, request)
                difference = shown.replace(with: state.items)
            } else {
                difference = shown.update(
                    news.keys, with: try await items(session, matches(session, request, news.keys)),
                    limit: request.limit)
            }
            guard !difference.isEmpty || changedGaps != nil else { return }
            try await send(.changed(difference.changed, gone: difference.gone, gaps: changedGaps))
        }
    }

    private func matches(
        _ session: Session, _ request: SearchRequest, _ keys: [ItemKey]
    ) async throws -> [SearchHit] {
        let scope = try await scope(session, request)
        let now = clock.date
        return try await store.use { try await $0.match(keys, request.query, in: scope, now: now) }
    }
}

/// The items that a client has of a live search. At most as many as it asked for.
private struct Shown {
    struct Difference {
        var changed: [SearchReply.RankedItem] = []
        var gone: [ItemKey] = []

        var isEmpty: Bool { changed.isEmpty && gone.isEmpty }
    }

    private var items: [ItemKey: SearchReply.RankedItem]

    init(_ items: [SearchReply.RankedItem]) {
        self.items = Dictionary(items.map { ($0.item.reference.key, $0) }) { $1 }
    }

    /// Whether another item could push one out, so that the search has to be repeated.
    func isFull(_ limit: Int) -> Bool { items.count >= limit }

    mutating func replace(with found: [SearchReply.RankedItem]) -> Difference {
        let next = Shown(found)
        // How well an item fits becomes less with its age alone; that is no news.
        let changed = found.filter { items[$0.item.reference.key]?.item != $0.item }
        let gone = items.keys.filter { next.items[$0] == nil }
        self = next
        return Difference(changed: changed, gone: gone)
    }

    mutating func update(
        _ keys: [ItemKey], with found: [SearchReply.RankedItem], limit: Int
    ) -> Difference {
        var difference = Difference()
        let present = Set(found.map(\.item.reference.key))
        for key in keys where !present.contains(key) && items.removeValue(forKey: key) != nil {
            difference.gone.append(key)
        }
        for item in found where items[item.item.reference.key]?.item != item.item {
            guard items.count < limit || items[item.item.reference.key] != nil else { continue }
            items[item.item.reference.key] = item
            difference.changed.append(item)
        }
        return difference
    }
}
