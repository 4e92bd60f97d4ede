/// An item that a ``MetadataQuery`` found.
public struct MetadataResult: Sendable, Hashable {
    /// What is known of the item. Its content may be only at the provider.
    public let item: DocumentItem
    /// How well it fits; larger is better.
    public let relevance: Double

    init(item: DocumentItem, relevance: Double) {
        self.item = item
        self.relevance = relevance
    }
}

/// What a ``MetadataQuery`` reports.
public enum MetadataUpdate: Sendable, Hashable {
    /// There are more results; the search continues.
    case gathering(count: Int)
    /// The search has found what there is. `gaps` says what could not be searched, and `isCut` whether there is more.
    case gathered(gaps: [SearchGap], isCut: Bool)
    /// Results are new, have changed, or are gone.
    case changed(added: [DocumentReference], changed: [DocumentReference], removed: [DocumentReference])
    /// What could not be searched has changed.
    case gapsChanged([SearchGap])
    /// The daemon has gone. The results stay, and the search begins again by itself.
    case interrupted(DocumentsError)
    /// The search has ended for good.
    case failed(DocumentsError)
}
