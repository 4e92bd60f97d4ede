/// News of an item.
package enum ChangeKind: Hashable, Sendable {
    /// Its content or attributes changed.
    case content
    /// It is gone.
    case deleted
    /// It is new in its folder.
    case appeared
    /// It has another version now; its persistent identifier.
    case gainedVersion(String)
    /// It does not have that version any more.
    case lostVersion(String)
    /// The conflict that the version stood for is resolved.
    case resolvedVersion(String)
}

extension ChangeKind {
    /// Whether it is about versions, which is told to those who caused it, too (2.4).
    var isOfVersions: Bool {
        switch self {
        case .gainedVersion, .lostVersion, .resolvedVersion: true
        case .content, .deleted, .appeared: false
        }
    }
}
