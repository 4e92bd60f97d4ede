import FileProvider

/// A provider of two documents whose process attacks its own container, for tests. The name of a document that begins
/// with `fp~` selects an action, as in ``KeychainProbe``; `swap` begins the attack: see ``SwapWork``.
protocol SwapBehaviour: ReplicatedFileProvider {
    var work: ProbeWork { get }

    /// Describes a document by its name, which is also its identifier.
    func document(_ name: String) throws -> FileProviderItem
}

extension SwapBehaviour {
    static var documentNames: [String] { ["a.txt", "b.txt"] }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        guard identifier == .rootContainer else { return try document(identifier.rawValue) }
        return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: "Swapper")
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        guard name.hasPrefix("fp~") else { return try document(name) }
        throw FileProviderError(.failed, await work.perform(String(name.dropFirst(3))))
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        ItemPage(items: try Self.documentNames.map { try document($0) })
    }

    func signIn(_ credential: Credential) async throws -> String? { credential.username }
}
