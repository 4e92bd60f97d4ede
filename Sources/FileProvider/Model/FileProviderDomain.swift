/// An account of a provider: one of several signed-in services, or the default one.
public struct FileProviderDomain: Hashable, Sendable {
    /// Its name among the domains of the provider; empty for the default domain.
    public var identifier: String
    /// Its name for people.
    public var displayName: String
    /// The local folder that the domain stands for, in providers of local files.
    public var folder: String?
    /// The directory where the provider may keep files of its own (D4): `documentStorageURL` as a path.
    public var documentStorage: String

    /// What the user set for this domain, for example `url` and `username`; never a secret.
    public var settings: [String: String]

    /// A domain from its parts.
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
