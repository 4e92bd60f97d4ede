/// A change of an item.
package enum ChangeKind: Hashable, Sendable {
    /// The content or attributes changed.
    case content
    /// The item was deleted.
    case deleted
    /// The item appeared in its folder.
    case appeared
    /// A version was added, with this persistent identifier.
    case gainedVersion(String)
    /// A version was removed.
    case lostVersion(String)
    /// The conflict with the version was resolved.
    case resolvedVersion(String)
}

extension ChangeKind {
    /// Whether it concerns versions. Such changes are also reported to whoever caused them.
    var isOfVersions: Bool {
        switch self {
        case .gainedVersion, .lostVersion, .resolvedVersion: true
        case .content, .deleted, .appeared: false
        }
    }
}
