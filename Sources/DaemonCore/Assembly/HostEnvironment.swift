package import ExtensionHosting
package import ExtensionManifest
package import HostCore
package import HostServices
package import Logging
package import Rights
package import Storage

/// What ``HostAssembly`` is built on: the places on disk, and what differs between the daemon and a test.
package struct HostEnvironment: Sendable {
    /// The daemon's configuration.
    package let configuration: DaemonConfiguration
    /// The prepared layout of the storage on disk.
    package let layout: StorageLayout
    /// The database in that layout.
    package let database: HostDatabase
    /// The secrets that the log must not show.
    package let secrets: KnownSecrets
    /// Writes the log, redacted.
    package let logger: Logger
    /// Determines who owns which file of a provider.
    package var inspector: FileInspector = .system()
    /// Makes what starts extensions.
    package let starter: @Sendable (ProviderRegistry) -> any ExtensionStarting
    /// The time for everything that waits or measures.
    package var clock: any HostClock = SystemClock()
    /// What a client may have open.
    package var limits = ContentLimits()
    /// How much of an account is listed for searching.
    package var crawlLimits = SearchCrawler.Limits()
    /// For tests; called after each numbered step of W.
    package var crash: CrashPoint = { _ in }
    /// For tests; called after each durable step of a login or a logout.
    package var signInCrash: SignInCrashPoint = { _ in }

    package init(
        configuration: DaemonConfiguration, layout: StorageLayout, database: HostDatabase, secrets: KnownSecrets,
        logger: Logger, starter: @escaping @Sendable (ProviderRegistry) -> any ExtensionStarting
    ) {
        self.configuration = configuration
        self.layout = layout
        self.database = database
        self.secrets = secrets
        self.logger = logger
        self.starter = starter
    }
}
