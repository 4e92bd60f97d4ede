import DocentInterfaces

extension FileProviderError {
    /// The kind of an error. A number that this SDK does not know is carried as it is.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number. −1000 to −2014 are Apple's (3.5); −3000 to −3999 are Docent's own.
        public let rawValue: Int

        /// A code by its number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The user has to sign in.
        public static let notAuthenticated = Code(rawValue: -1000)
        /// Another item has that name.
        public static let filenameCollision = Code(rawValue: -1001)
        /// The anchor of ``ReplicatedFileProvider/changes(since:)`` is too old: the host lists again.
        public static let syncAnchorExpired = Code(rawValue: -1002)
        /// There is no room for the content.
        public static let insufficientQuota = Code(rawValue: -1003)
        /// The service cannot be reached. Says nothing about whether an item exists.
        public static let serverUnreachable = Code(rawValue: -1004)
        /// The item is gone, for certain.
        public static let noSuchItem = Code(rawValue: -1005)
        /// The item may not be deleted.
        public static let deletionRejected = Code(rawValue: -1006)
        /// The folder has children and they were not to be deleted.
        public static let directoryNotEmpty = Code(rawValue: -1007)
        /// The service does not have that version any more.
        public static let versionNoLongerAvailable = Code(rawValue: -2009)

        /// The item is no longer at the version that the change was based on.
        public static let versionOutOfDate = Code(rawValue: -3000)
        /// The provider cannot do this at all.
        public static let notSupported = Code(rawValue: -3001)
        /// The provider may not do this here.
        public static let notPermitted = Code(rawValue: -3002)
        /// A parameter makes no sense.
        public static let invalidArgument = Code(rawValue: -3003)
        /// Anything else.
        public static let failed = Code(rawValue: -3004)
        /// The service is there but cannot do it now; worth trying again, not before
        /// ``FileProviderError/retryAfter``.
        public static let busy = Code(rawValue: -3005)
        /// A ``FileCoordinator`` would have waited for ever: for somebody who waits for this provider. The message says who waits for whom.
        public static let deadlock = Code(rawValue: ProviderErrorNumber.deadlock)
        /// The user's keyring is locked or away; worth trying again once it is unlocked.
        public static let keychainUnavailable = Code(rawValue: -3007)

        /// `NSFileProviderErrorDomain` for Apple's numbers, `org.docent.FileProvider` for ours.
        public var domain: String {
            (-3999 ... -3000).contains(rawValue) ? ProviderErrorNumber.domain : "NSFileProviderErrorDomain"
        }
    }
}
