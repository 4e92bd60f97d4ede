public import FoundationEssentials

/// What the SDK gives to a ``FileProviderExtension`` when it makes one.
public struct FileProviderExtensionContext: Sendable {
    /// The bundle identifier of the provider (D3).
    public let providerIdentifier: String
    /// Where the documents lie (D4).
    public let documentStorageURL: URL
    /// The account.
    public let domain: FileProviderDomain
    /// What the provider can tell its host.
    public let host: FileProviderHost

    /// A context from its parts.
    public init(providerIdentifier: String, domain: FileProviderDomain, host: FileProviderHost) {
        self.providerIdentifier = providerIdentifier
        self.documentStorageURL = URL(filePath: domain.documentStorage, directoryHint: .isDirectory)
        self.domain = domain
        self.host = host
    }
}
