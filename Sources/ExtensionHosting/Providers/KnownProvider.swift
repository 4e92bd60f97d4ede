package import ExtensionManifest
package import Rights

/// An installed provider together with what the user decided about it.
package struct KnownProvider: Sendable {
    /// Whether it may be used, and if not, why.
    package enum State: String, Sendable {
        case ready
        case disabled
        /// Its manifest, entitlements or library path are not those that were agreed to (S3).
        case changed
        case quarantined
    }

    /// The provider as it may run: what its manifests say, without what is withheld.
    package var description: ProviderDescription
    /// What its manifests say.
    package var asked: ProviderDescription
    /// What it asks for and gets only when the user agrees, as after an update (S3): a provider of the administrator's
    /// runs without it.
    package var withheld: [ProviderRequest]
    /// Whether it may be used.
    package var state: State
    /// Whether the user enabled it without a sandbox.
    package var isUnsandboxed: Bool
    /// Its domains, the default one not among them.
    package var domains: [ProviderDomain]
    /// Why it is in quarantine.
    package var quarantineReason: String?

    /// A provider as it was found and decided about.
    ///
    /// - Parameter asked: what its manifests say; nil where nothing of that is withheld.
    package init(
        description: ProviderDescription, state: State, isUnsandboxed: Bool, domains: [ProviderDomain],
        quarantineReason: String?, asked: ProviderDescription? = nil, withheld: [ProviderRequest] = []
    ) {
        self.description = description
        self.asked = asked ?? description
        self.withheld = withheld
        self.state = state
        self.isUnsandboxed = isUnsandboxed
        self.domains = domains
        self.quarantineReason = quarantineReason
    }

    /// Its bundle identifier.
    package var identifier: String { description.identifier }
    /// Whether it can be browsed: a drop box cannot (A5).
    package var isBrowsable: Bool {
        description.fileProvider != nil && (description.picker == nil || !isDropBox)
            || description.modes.contains(.import) || description.modes.contains(.open)
    }
    /// Whether documents can only be put in.
    package var isDropBox: Bool { Self.isDropBox(description) }

    /// Whether a provider with these manifests is a drop box.
    package static func isDropBox(_ description: ProviderDescription) -> Bool {
        description.picker != nil && description.modes == [.exportToService]
    }
}
