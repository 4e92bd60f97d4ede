/// Why an access, a grant or a bookmark was refused.
package enum AccessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The principal has no grant for the document, or a narrower one.
    case notGranted
    /// The right lasts only as long as its client lives, and cannot be made persistent.
    case notPersistable
    /// The bookmark is malformed, unknown, revoked or another principal's: deliberately one error for all.
    case bookmarkUnusable
    /// This version does not know the principal's kind.
    case unrecognisedPrincipal
    /// The new identifier of a document has its own grants, which belong to another document.
    case identifierInUse

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .notGranted: "this client has not been granted that access to the document; choose it in a picker first"
        case .notPersistable: "this right ends when the client ends; it cannot be made permanent"
        case .bookmarkUnusable: "the bookmark cannot be used by this client; choose the document again"
        case .unrecognisedPrincipal: "the client could not be recognised"
        case .identifierInUse: "the new identifier already has grants that belong to another document"
        }
    }
}
