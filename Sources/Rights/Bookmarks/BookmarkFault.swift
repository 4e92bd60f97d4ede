/// Why a bookmark is of no use. The client is told none of it (G8); the audit is.
package enum BookmarkFault: Error, Hashable, Sendable {
    /// It is no text that Docent ever gave.
    case malformed
    /// It was not sealed here for this client: invented, or changed on the way.
    case forged
    /// Another client made it.
    case anotherClients
    /// The key that it was sealed with is gone.
    case keyLost
    /// The right that it was made from was revoked or has ended.
    case revoked
    /// The client may not reach the document at present.
    case notAllowed
    /// Not the folder was given that it is relative to.
    case anotherFolder

    /// A few words for the audit.
    package var reason: String {
        switch self {
        case .malformed: "bookmark: malformed"
        case .forged: "bookmark: forged or altered"
        case .anotherClients: "bookmark: of another client"
        case .keyLost: "bookmark: its key is lost"
        case .revoked: "bookmark: its right was revoked"
        case .notAllowed: "bookmark: its right does not reach the document any more"
        case .anotherFolder: "bookmark: relative to another folder"
        }
    }
}
