/// Why a bookmark cannot be used. The reason goes to the audit, not to the client (G8).
package enum BookmarkFault: Error, Hashable, Sendable {
    /// It is not a text that Docent could have issued.
    case malformed
    /// It was not sealed here for this client: invented, or altered.
    case forged
    /// Another client made it.
    case anotherClients
    /// The key that sealed it is gone.
    case keyLost
    /// The right that it was made from was revoked or has ended.
    case revoked
    /// The client may not reach the document at present.
    case notAllowed
    /// The given folder is not the one that it is relative to.
    case anotherFolder

    /// The reason, in a few words for the audit.
    package var reason: String {
        switch self {
        case .malformed: "bookmark: malformed"
        case .forged: "bookmark: forged or altered"
        case .anotherClients: "bookmark: of another client"
        case .keyLost: "bookmark: its key is lost"
        case .revoked: "bookmark: its right was revoked"
        case .notAllowed: "bookmark: its right no longer covers the document"
        case .anotherFolder: "bookmark: relative to another folder"
        }
    }
}
