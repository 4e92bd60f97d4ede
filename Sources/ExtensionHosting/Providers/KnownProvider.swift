package import ExtensionManifest
package import Rights

/// An installed provider with the user's decisions about it.
package struct KnownProvider: Sendable {
    /// Whether it may be used, and if not, why.
    package enum State: String, Sendable {
        case ready
        case disabled
        /// Its manifest, entitlements or library path differ from those that were agreed to.
        case changed
        case quarantined
    }

    /// The provider as it may run: its manifests, without what is withheld.
    package var description: ProviderDescription
    /// The provider as its manifests describe it.
    package var asked: ProviderDescription
    /// What it requests, for instance after an update, but gets only when the user agrees (S3): a provider of the
    /// administrator runs without it.
    package var withheld: [ProviderRequest]
    /// Whether it may be used.
    package var state: State
    /// Whether the user enabled it without a sandbox.
    package var isUnsandboxed: Bool
    /// Its domains, without the default one.
    package var domains: [ProviderDomain]
    /// A domain as a login tries it, in place of the one that is stored.
    package var tried: ProviderDomain?
    /// Why it is in quarantine.
    package var quarantineReason: String?

    /// A provider that was discovered, with the decisions about it.
    ///
    /// - Parameter asked: the provider as its manifests describe it; nil if nothing is withheld.
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
    /// Whether it can be browsed: a drop box cannot.
    package var isBrowsable: Bool {
        description.fileProvider != nil && (description.picker == nil || !isDropBox)
            || description.modes.contains(.import) || description.modes.contains(.open)
    }
    /// Whether documents can only be added.
    package var isDropBox: Bool { Self.isDropBox(description) }

    /// Whether a provider with these manifests is a drop box.
    package static func isDropBox(_ description: ProviderDescription) -> Bool {
        description.picker != nil && description.modes == [.exportToService]
    }
}
