public import FoundationEssentials

/// A file provider in the form of iOS 8: documents are files below ``documentStorageURL``, and a document that is not
/// on this machine has a placeholder there.
///
/// A subclass overrides ``providePlaceholder(at:)``, ``startProvidingItem(at:)``, ``itemChanged(at:)`` and
/// ``stopProvidingItem(at:)`` without calling `super`, and either both or none of ``persistentIdentifierForItem(at:)``
/// and ``urlForItem(withPersistentIdentifier:)``. The host may call them in any order, and calls about different items
/// may overlap. An override must return: the host ends an extension when one of its calls makes no progress for too
/// long.
@ExtensionActor
open class FileProviderExtension {
    /// The context that the SDK passed to the initializer.
    public let context: FileProviderExtensionContext

    /// Called by the SDK, once for each domain.
    public required init(context: FileProviderExtensionContext) {
        self.context = context
    }

    /// The provider's bundle identifier, which is also the purpose of its own file coordination.
    public final var providerIdentifier: String { context.providerIdentifier }

    /// The root folder of all documents.
    public final var documentStorageURL: URL { context.documentStorageURL }

    /// Where the placeholder of a document is stored.
    public nonisolated static func placeholderURL(for url: URL) -> URL { Placeholder.url(for: url) }

    /// Writes a placeholder atomically.
    ///
    /// - Parameters:
    ///   - placeholderURL: The URL that ``placeholderURL(for:)`` returned.
    ///   - metadata: What the placeholder says of its document. The name must be the document's.
    /// - Throws: ``FileProviderError``.
    public nonisolated static func writePlaceholder(
        at placeholderURL: URL, withMetadata metadata: PlaceholderMetadata
    ) throws {
        try Placeholder.write(metadata, at: placeholderURL)
    }

    /// The identifier of a document; nil for a URL outside the provider. By default this is the path relative to
    /// ``documentStorageURL``.
    open func persistentIdentifierForItem(at url: URL) -> String? {
        StoragePath(url, below: documentStorageURL)?.text
    }

    /// The URL of the document with an identifier; nil for an identifier that the provider does not know.
    open func urlForItem(withPersistentIdentifier identifier: String) -> URL? {
        StoragePath(identifier)?.url(below: documentStorageURL)
    }

    /// Writes the placeholder of a document.
    open func providePlaceholder(at url: URL) async throws {
        throw FileProviderError(.notSupported, "The provider does not implement providePlaceholder(at:).")
    }

    /// Makes the file itself available. Write it elsewhere and rename it into place, so that readers never see part of
    /// it. No other call about this item runs at the same time.
    open func startProvidingItem(at url: URL) async throws {
        throw FileProviderError(.notSupported, "The provider does not implement startProvidingItem(at:).")
    }

    /// Makes the file available and reports progress, which the waiting reader sees and which extends the deadline.
    /// Calls ``startProvidingItem(at:)`` by default; override one of the two.
    open func startProvidingItem(at url: URL, progress: TransferProgress) async throws {
        try await startProvidingItem(at: url)
    }

    /// Called when the file's content has changed: upload it, or record that it has to be uploaded. The writer's save
    /// has been confirmed before.
    open func itemChanged(at url: URL) async {}

    /// Called when the file is no longer in use: the provider may remove it, leaving a placeholder.
    open func stopProvidingItem(at url: URL) async {}
}
