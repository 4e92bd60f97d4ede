public import FoundationEssentials

/// What the SDK passes to a ``FileProviderExtension`` when it creates one.
public struct FileProviderExtensionContext: Sendable {
    /// The bundle identifier of the provider.
    public let providerIdentifier: String
    /// The root folder of the documents.
    public let documentStorageURL: URL
    /// The account.
    public let domain: FileProviderDomain
    /// The connection to the host.
    public let host: FileProviderHost

    /// Creates a context.
    public init(providerIdentifier: String, domain: FileProviderDomain, host: FileProviderHost) {
        self.providerIdentifier = providerIdentifier
        self.documentStorageURL = URL(filePath: domain.documentStorage, directoryHint: .isDirectory)
        self.domain = domain
        self.host = host
    }
}
