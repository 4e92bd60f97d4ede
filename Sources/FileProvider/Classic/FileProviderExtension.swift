public import FoundationEssentials

/// A file provider as iOS 8 had it (section D): documents are files below ``documentStorageURL``, and those that are
/// not on this machine have a placeholder there.
///
/// A subclass overrides ``providePlaceholder(at:)``, ``startProvidingItem(at:)``, ``itemChanged(at:)`` and
/// ``stopProvidingItem(at:)`` without calling `super`, and either both or none of
/// ``persistentIdentifierForItem(at:)`` and ``urlForItem(withPersistentIdentifier:)`` (F3). The host may call them in
/// any order (D12), and those about different items at the same time. An override must end: the host ends an extension
/// whose call makes no progress for too long (X11).
@ExtensionActor
open class FileProviderExtension {
    /// What the SDK gave.
    public let context: FileProviderExtensionContext

    /// Called by the SDK, once for each domain.
    public required init(context: FileProviderExtensionContext) {
        self.context = context
    }

    /// The provider's bundle identifier; the purpose of its own file coordination (D3).
    public final var providerIdentifier: String { context.providerIdentifier }

    /// The root of all documents (D4).
    public final var documentStorageURL: URL { context.documentStorageURL }

    /// Where the placeholder of a document lies (D2, E2).
    public nonisolated static func placeholderURL(for url: URL) -> URL { Placeholder.url(for: url) }

    /// Writes a placeholder, atomically (D1).
    ///
    /// - Parameters:
    ///   - placeholderURL: What ``placeholderURL(for:)`` gave.
    ///   - metadata: What it shall tell; the name must be that of the document.
    /// - Throws: ``FileProviderError``.
    public nonisolated static func writePlaceholder(
        at placeholderURL: URL, withMetadata metadata: PlaceholderMetadata
    ) throws {
        try Placeholder.write(metadata, at: placeholderURL)
    }

    /// The identifier of a document (D5); nil for a URL that is none of the provider's. The path relative to
    /// ``documentStorageURL`` unless overridden (F1).
    open func persistentIdentifierForItem(at url: URL) -> String? {
        StoragePath(url, below: documentStorageURL)?.text
    }

    /// The document with an identifier (D6); nil for an identifier that is none of the provider's.
    open func urlForItem(withPersistentIdentifier identifier: String) -> URL? {
        StoragePath(identifier)?.url(below: documentStorageURL)
    }

    /// Writes the placeholder of a document (D7).
    open func providePlaceholder(at url: URL) async throws {
        throw FileProviderError(.notSupported, "The provider does not implement providePlaceholder(at:).")
    }

    /// Makes the file itself available (D8): writes it elsewhere and renames it, so that nobody sees a part of it
    /// (complaint 22). Called while no other call about this item is under way.
    open func startProvidingItem(at url: URL) async throws {
        throw FileProviderError(.notSupported, "The provider does not implement startProvidingItem(at:).")
    }

    /// The same, telling how far it has come, which the waiting reader sees and which extends the deadline (D16). Calls
    /// ``startProvidingItem(at:)`` unless overridden; to override one of the two is enough.
    open func startProvidingItem(at url: URL, progress: TransferProgress) async throws {
        try await startProvidingItem(at: url)
    }

    /// The file's content was changed; the provider uploads it or notes that it must (D9). Called after the writer was
    /// told that it is saved (D14).
    open func itemChanged(at url: URL) async {}

    /// Nobody uses the file any more; the provider may remove it, leaving a placeholder (D10).
    open func stopProvidingItem(at url: URL) async {}
}
