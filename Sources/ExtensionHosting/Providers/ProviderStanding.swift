import ExtensionManifest
import Rights

/// What becomes of a provider that was found, by what was decided about it (A14, S3). Pure.
///
/// What a user installed is off as soon as it is not what was agreed to. What the administrator installed goes on under
/// the agreement: what an update asks for beyond that is withheld.
struct ProviderStanding {
    /// Whether it may be used.
    let state: KnownProvider.State
    /// The provider as it may run.
    let description: ProviderDescription
    /// What it asks for and does not get.
    let withheld: [ProviderRequest]

    /// - Parameters:
    ///   - asked: what its manifests say.
    ///   - decision: the user's, if any.
    ///   - owner: who owns its library; nil while it is missing, which its start tells better.
    ///   - agreed: what it may have; nil where nothing was ever agreed to.
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

    /// Whether what a provider asks for counts as agreed to when there is no agreement yet: it starts enabled, or the
    /// user enabled exactly this with a Docent that did not note what.
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

    // The owner can change the library: another one than the one agreed to is another provider.
    private static func matches(_ pin: ProviderPin, _ description: ProviderDescription, _ owner: UInt32?) -> Bool {
        let libraries = description.extensions.map(\.libraryPath)
        return pin.digest == description.digest
            && Set(pin.manifestPaths) == Set(description.extensions.map(\.path))
            && Set(pin.libraryPaths.map { flat($0, pin) }) == Set(libraries.map { flat($0, pin) })
            && (owner.map { $0 == pin.ownerUserID } ?? true)
    }

    // The directory of a provider's own in the one for libraries came with a later Docent: a library that an update
    // puts there is in the same hands as before.
    private static func flat(_ path: String, _ pin: ProviderPin) -> String {
        path.replacing("/docent/providers/\(pin.identifier)/", with: "/docent/providers/")
    }

    /// Whether a provider that the user enabled is the administrator's, before and now: an update is the
    /// administrator's business then, but for what it asks for. Nothing can be withheld from one without a sandbox.
    private static func follows(_ pin: ProviderPin, _ description: ProviderDescription) -> Bool {
        description.isSystem && pin.ownerUserID == 0 && !pin.isUnsandboxed
    }

    private static func isUnsandboxed(_ decision: ProviderDecision?) -> Bool {
        if case .enabled(let pin) = decision { pin.isUnsandboxed } else { false }
    }
}
