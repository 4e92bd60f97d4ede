import FoundationEssentials
import Synchronization

/// The author's overrides (D7–D10). Each is `async`, so that it can neither complete twice nor forget to say how it
/// ended (complaint 15); one that never returns is met by the host's deadline (X11) and holds up its own item only.
extension ClassicFileProvider {
    /// Has the placeholder of a document written, and nothing else (D7).
    ///
    /// - Throws: What the override throws; ``FileProviderError`` when it wrote none.
    func providePlaceholder(_ identifier: ItemIdentifier) async throws {
        let document = try await document(identifier)
        try await instance.providePlaceholder(at: document.url)
        guard try isKnown(document) else {
            throw FileProviderError(
                .failed, "providePlaceholder(at:) ended without a placeholder of “\(document.name.displayed)”.")
        }
    }

    /// Makes the file of a document available (D8); does nothing if it is there. Ten callers are one start.
    ///
    /// - Returns: The item, from its file.
    func provide(_ identifier: ItemIdentifier, progress: TransferProgress) async throws -> FileProviderItem {
        let document = try await document(identifier)
        return try await starts.run(identifier) {
            try await start(document, progress)
            let directory = try storage().directory(at: document.path.dropLast())
            return try await item(document, directory.facts(of: document.name))
        }
    }

    /// Calls the override if there is no file. To be called in the item's turn of ``starts``.
    func start(_ document: Document, _ progress: TransferProgress) async throws {
        guard try facts(document) == nil else { return }
        making.withLock { _ = $0.insert(document.identifier) }
        defer { making.withLock { _ = $0.remove(document.identifier) } }
        try await instance.startProvidingItem(at: document.url, progress: progress)
        guard try facts(document) != nil else {
            throw FileProviderError(
                .failed, "startProvidingItem(at:) ended without a file “\(document.name.displayed)”.")
        }
    }

    /// Tells that a document's content was changed (D9). The host calls it when the writer has been answered (D14), so
    /// it ends when the override has: what is not answered was perhaps not told. A caller who goes away does not
    /// cancel the override.
    func itemChanged(_ identifier: ItemIdentifier) async throws {
        let document = try await document(identifier)
        try await changes.run(identifier) {
            await Task { await self.instance.itemChanged(at: document.url) }.value
        }
    }

    /// Tells that nobody uses a document any more (D10), when nothing about it is under way. Should the override
    /// remove the file and leave no placeholder, one is asked for (E7).
    func stopProviding(_ identifier: ItemIdentifier) async {
        guard let document = try? await document(identifier) else { return }
        try? await starts.run(identifier) {
            try await changes.run(identifier) {
                await Task {
                    let wasThere = (try? self.isKnown(document)) ?? false
                    await self.instance.stopProvidingItem(at: document.url)
                    guard wasThere, (try? self.isKnown(document)) == false else { return }
                    try? await self.instance.providePlaceholder(at: document.url)
                }.value
            }
        }
    }

    /// Whether a document has a file or a placeholder.
    private func isKnown(_ document: Document) throws -> Bool {
        let directory = try storage().directory(at: document.path.dropLast())
        return try facts(document) != nil || Placeholder.metadata(of: document.name, in: directory) != nil
    }
}
