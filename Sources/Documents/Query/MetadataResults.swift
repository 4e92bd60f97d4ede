import DocentInterfaces

/// The results of a query: what is known, and what is shown. The two differ while updates are disabled.
struct MetadataResults: Sendable {
    private let order: [MetadataSortDescriptor]
    private var known: [DocumentReference: MetadataResult] = [:]
    /// What a search that has begun again has found so far; the earlier results are shown until it is complete.
    private var gathered: [DocumentReference: MetadataResult]?
    private var disabled = 0
    private(set) var shown: [MetadataResult] = []
    private(set) var isGathering = false
    private(set) var isCut = false
    private(set) var gaps: [SearchGap] = []

    init(_ order: [MetadataSortDescriptor]) { self.order = order }

    mutating func beginGathering() {
        isGathering = true
        gathered = [:]
    }

    /// - Returns: what to report; nil while updates are disabled, except of the search itself.
    mutating func take(_ reply: DocumentsInterface.Find.Reply) -> MetadataUpdate? {
        let items = zip(reply.items, reply.ranks).map { MetadataResult(item: DocumentItem($0), relevance: $1) }
        if let gaps = reply.gaps { self.gaps = gaps.map(SearchGap.init) }
        switch reply.state {
        case "found":
            for item in items { gathered?[item.item.reference] = item }
            // Only the first time are parts of a search better than nothing.
            if known.isEmpty, disabled == 0 { show(gathered ?? [:]) }
            return .gathering(count: gathered?.count ?? 0)
        case "gathered":
            for item in items { gathered?[item.item.reference] = item }
            known = gathered ?? [:]
            gathered = nil
            isGathering = false
            isCut = reply.isCut == true
            if reply.gaps == nil { gaps = [] }
            if disabled == 0 { show(known) }
            return .gathered(gaps: gaps, isCut: isCut)
        default:
            for item in items { known[item.item.reference] = item }
            for gone in reply.gone ?? [] { known[DocumentReference(gone)] = nil }
            guard disabled == 0 else { return nil }
            let update = refresh()
            return update ?? (reply.gaps == nil ? nil : .gapsChanged(gaps))
        }
    }

    mutating func disable() { disabled += 1 }

    mutating func enable() -> MetadataUpdate? {
        guard disabled > 0 else { return nil }
        disabled -= 1
        return disabled == 0 ? refresh() : nil
    }

    private mutating func refresh() -> MetadataUpdate? {
        let before = Dictionary(shown.map { ($0.item.reference, $0) }) { $1 }
        show(isGathering && known.isEmpty ? gathered ?? [:] : known)
        let added = shown.filter { before[$0.item.reference] == nil }.map(\.item.reference)
        let changed = shown.filter { result in
            before[result.item.reference].map { $0.item != result.item } ?? false
        }.map(\.item.reference)
        let present = Set(shown.map(\.item.reference))
        let removed = before.keys.filter { !present.contains($0) }
        guard !added.isEmpty || !changed.isEmpty || !removed.isEmpty else { return nil }
        return .changed(added: added, changed: changed, removed: removed)
    }

    private mutating func show(_ results: [DocumentReference: MetadataResult]) {
        shown = results.values.sorted { left, right in
            for descriptor in order {
                if let isBefore = descriptor.isBefore(left, right) { return isBefore }
            }
            // The same order each time, whatever the order in the table.
            let (left, right) = (left.item.reference, right.item.reference)
            return (left.provider, left.domain, left.identifier) < (right.provider, right.domain, right.identifier)
        }
    }
}
