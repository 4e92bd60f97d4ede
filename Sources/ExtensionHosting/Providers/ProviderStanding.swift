import ExtensionManifest
import Rights

/// The state of a discovered provider, given the decisions about it (A14, S3). Pure.
///
/// A provider that the user installed is off as soon as it differs from what was agreed to. A provider that the
/// administrator installed continues under the agreement: what an update requests beyond that is withheld.
struct ProviderStanding {
    /// Whether it may be used.
    let state: KnownProvider.State
    /// The provider as it may run.
    let description: ProviderDescription
    /// What it requests but does not get.
    let withheld: [ProviderRequest]

    /// - Parameters:
    ///   - asked: the provider as its manifests describe it.
    ///   - decision: the user's, if any.
    ///   - owner: the owner of its library; nil while the library is missing, which its start reports better.
    ///   - agreed: what it is allowed; nil if nothing was ever agreed to.
    init(
        _ asked: ProviderDescription, _ decision: ProviderDecision?, owner: UInt32?, agreed: Set<ProviderRequest>?
    ) {
        let isReady =
            switch decision {
            case nil: asked.isSystem && agreed != nil
            case .disabled: false
            case .enabled(let pin): Self.matches(pin, asked, owner) || Self.follows(pin, asked) && agreed != nil
            }
        guard isReady else {
            if case .enabled = decision { state = .changed } else { state = .disabled }
            description = asked
            withheld = []
            return
        }
        state = .ready
        guard asked.isSystem, let agreed, !Self.isUnsandboxed(decision) else {
            description = asked
            withheld = []
            return
        }
        description = asked.limited(to: agreed)
        withheld = asked.requests(beyond: agreed)
    }

    /// Whether a provider's requests count as agreed to when there is no agreement yet: it starts enabled, or the user
    /// enabled exactly this version with a Docent that did not record the requests.
    static func startsAgreed(
        _ asked: ProviderDescription, _ decision: ProviderDecision?, owner: UInt32?
    ) -> Bool {
        guard asked.isSystem else { return false }
        return switch decision {
        case nil: true
        case .disabled: false
        case .enabled(let pin): matches(pin, asked, owner)
        }
    }

    // The owner can change the library: with another owner it counts as another provider.
    private static func matches(_ pin: ProviderPin, _ description: ProviderDescription, _ owner: UInt32?) -> Bool {
        let libraries = description.extensions.map(\.libraryPath)
        return pin.digest == description.digest
            && Set(pin.manifestPaths) == Set(description.extensions.map(\.path))
            && Set(pin.libraryPaths.map { flat($0, pin) }) == Set(libraries.map { flat($0, pin) })
            && (owner.map { $0 == pin.ownerUserID } ?? true)
    }

    // Providers got their own directories among the libraries in a later version of Docent: a library that an update
    // moves there has the same owner as before.
    private static func flat(_ path: String, _ pin: ProviderPin) -> String {
        path.replacing("/docent/providers/\(pin.identifier)/", with: "/docent/providers/")
    }

    /// Whether a provider that the user enabled is the administrator's, before and now. An update is then the
    /// administrator's decision, except for new requests. Nothing can be withheld from a provider without a sandbox.
    private static func follows(_ pin: ProviderPin, _ description: ProviderDescription) -> Bool {
        description.isSystem && pin.ownerUserID == 0 && !pin.isUnsandboxed
    }

    private static func isUnsandboxed(_ decision: ProviderDecision?) -> Bool {
        if case .enabled(let pin) = decision { pin.isUnsandboxed } else { false }
    }
}
