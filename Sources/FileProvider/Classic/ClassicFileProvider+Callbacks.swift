import FoundationEssentials
import Synchronization

/// Calls of the author's overrides. Each override is `async`, so that it can neither complete twice nor forget to
/// complete. One that never returns is ended by the host's deadline and holds up its own item only.
extension ClassicFileProvider {
    /// Has the author write the placeholder of a document, and nothing else.
    ///
    /// - Throws: What the override throws; ``FileProviderError`` when it wrote no placeholder.
    func providePlaceholder(_ identifier: ItemIdentifier) async throws {
        let document = try await document(identifier)
        try await instance.providePlaceholder(at: document.url)
        guard try isKnown(document) else {
            throw FileProviderError(
                .failed, "providePlaceholder(at:) ended without a placeholder of \"\(document.name.displayed)\".")
        }
    }

    /// Makes the file of a document available; does nothing if it exists. Concurrent calls share one start.
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

    /// Calls the override if there is no file. Must run in the item's turn of ``starts``.
    func start(_ document: Document, _ progress: TransferProgress) async throws {
        guard try facts(document) == nil else { return }
        making.withLock { _ = $0.insert(document.identifier) }
        defer { making.withLock { _ = $0.remove(document.identifier) } }
        try await instance.startProvidingItem(at: document.url, progress: progress)
        guard try facts(document) != nil else {
            throw FileProviderError(
                .failed, "startProvidingItem(at:) ended without a file \"\(document.name.displayed)\".")
        }
    }

    /// Reports that a document's content was changed. The host calls this after it has answered the writer. The call
    /// returns only when the override has: an unanswered report may not have arrived. A caller that goes away does not
    /// cancel the override.
    func itemChanged(_ identifier: ItemIdentifier) async throws {
        let document = try await document(identifier)
        try await changes.run(identifier) {
            await Task { await self.instance.itemChanged(at: document.url) }.value
        }
    }

    /// Reports that a document is no longer in use, once no other call about it is running. If the override removes the
    /// file without leaving a placeholder, one is requested.
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
