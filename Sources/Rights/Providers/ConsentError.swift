/// Why a consent could not be stored.
package enum ConsentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The group belongs to another provider, and the user has not consented to join it.
    case groupOwnedByAnother(ProviderGroup, owner: String)

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .groupOwnedByAnother(let group, let owner):
            "the \(group.kind.rawValue) group \(group.name) belongs to \(owner); joining it needs your separate consent"
        }
    }
}
