import DocentInterfaces
package import Documents
import Varlink

/// Lists from all accounts.
extension DaemonPickerSource {
    // As many as a person looks through.
    private static let mostRecents = 50
    private static let mostFound = 200

    package func shortcuts() async -> [PickerShortcut] {
        let recents = Recents(client: client)
        async let used = recents.documents(limit: 1)
        async let marked = recents.favourites()
        var shortcuts: [PickerShortcut] = []
        if let used = try? await used, !used.isEmpty { shortcuts.append(.recents) }
        if let marked = try? await marked, !marked.isEmpty { shortcuts.append(.starred) }
        return shortcuts
    }

    package func list(_ shortcut: PickerShortcut) async throws(DocumentsError) -> [PickerEntry] {
        let recents = Recents(client: client)
        let documents: [RecentDocument]
        switch shortcut {
        case .recents: documents = try await recents.documents(limit: Self.mostRecents)
        case .starred: documents = try await recents.favourites()
        }
        let providers = try await usableProviders()
        var choosable = ChoosableTypes(types)
        var seen: Set<DocumentReference> = []
        // A document that two programs used is one entry.
        return documents.filter { seen.insert($0.item.reference).inserted }
            .compactMap { Self.entry($0.item, providers, &choosable) }
    }

    package func search(
        _ text: String, _ received: @Sendable ([PickerEntry]) -> Void
    ) async throws(DocumentsError) -> (gaps: [PickerGap], isCut: Bool) {
        let providers = try await usableProviders()
        var choosable = ChoosableTypes(types)
        do {
            let last = try await client.follow(
                DocumentsInterface.Find.self, .init(query: text, limit: Self.mostFound)
            ) { reply in
                received(reply.items.compactMap { Self.entry(DocumentItem($0), providers, &choosable) })
            }
            let gaps = (last.gaps ?? []).filter { providers.contains($0.provider) }
            return (gaps.map { PickerGap(SearchGap($0)) }, last.isCut ?? false)
        } catch {
            throw error as? DocumentsError ?? DocumentsError(.failed, "\(error)")
        }
    }

    /// The providers that can be chosen from.
    private func usableProviders() async throws(DocumentsError) -> Set<String> {
        Set(try await client.providers(mode: mode, types: types).map(\.identifier))
    }

    /// An entry with its own location; nil for what cannot be chosen from, or whose place is not known.
    private static func entry(
        _ item: DocumentItem, _ providers: Set<String>, _ choosable: inout ChoosableTypes
    ) -> PickerEntry? {
        guard providers.contains(item.reference.provider), let path = item.path else { return nil }
        var entry = PickerEntry(item) { choosable.contains($0) }
        entry.location = DocumentLocation(
            provider: item.reference.provider, domain: item.reference.domain, path: path)
        return entry
    }
}
