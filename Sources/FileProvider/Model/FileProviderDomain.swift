/// An account of a provider: one of several signed-in services, or the default one.
public struct FileProviderDomain: Hashable, Sendable {
    /// Its identifier among the domains of the provider; empty for the default domain.
    public var identifier: String
    /// Its display name.
    public var displayName: String
    /// The local folder that the domain represents, for providers of local files.
    public var folder: String?
    /// The directory in which the provider may keep files of its own: `documentStorageURL` as a path.
    public var documentStorage: String

    /// The user's settings for this domain, for example `url` and `username`; never a secret.
    public var settings: [String: String]

    /// Creates a domain.
    public init(
        identifier: String, displayName: String, folder: String? = nil, documentStorage: String,
        settings: [String: String] = [:]
    ) {
        self.identifier = identifier
        self.displayName = displayName
        self.folder = folder
        self.documentStorage = documentStorage
        self.settings = settings
    }
}
