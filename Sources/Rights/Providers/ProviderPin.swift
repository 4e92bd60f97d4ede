package import FoundationEssentials
import GRDB

/// What the user consented to when enabling a provider; anything else needs a new consent (S3).
package struct ProviderPin: Hashable, Sendable, Codable {
    /// The provider's bundle identifier.
    package var identifier: String
    /// The manifests of its extensions.
    package var manifestPaths: [String]
    /// The libraries that the manifests name.
    package var libraryPaths: [String]
    /// The owner of these files.
    package var ownerUserID: UInt32
    /// The digest of manifests and entitlements.
    package var digest: String
    /// Whether the user allowed it to run without a sandbox.
    package var isUnsandboxed: Bool
    /// When it was enabled, in whole milliseconds once stored.
    package var enabledAt: Date

    /// Makes a pin.
    package init(
        identifier: String, manifestPaths: [String], libraryPaths: [String], ownerUserID: UInt32, digest: String,
        isUnsandboxed: Bool = false, enabledAt: Date = .now
    ) {
        self.identifier = identifier
        self.manifestPaths = manifestPaths
        self.libraryPaths = libraryPaths
        self.ownerUserID = ownerUserID
        self.digest = digest
        self.isUnsandboxed = isUnsandboxed
        self.enabledAt = enabledAt
    }

    init(row: Row) throws {
        self.init(
            identifier: row["identifier"], manifestPaths: try JSONText.decode(row["manifest_paths"]),
            libraryPaths: try JSONText.decode(row["library_paths"]), ownerUserID: row["owner"], digest: row["digest"],
            isUnsandboxed: row["unsandboxed"], enabledAt: Date(milliseconds: row["changed"]))
    }
}

/// The user's decision about a provider.
package enum ProviderDecision: Hashable, Sendable {
    /// Enabled, as pinned.
    case enabled(ProviderPin)
    /// Disabled since then, even if it would otherwise be enabled because the administrator installed it.
    case disabled(since: Date)
}
