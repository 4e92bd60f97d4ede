/// Why an access, a grant or a bookmark was refused.
package enum AccessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The principal has no grant, or a narrower one, for the document (G7).
    case notGranted
    /// The right was given for as long as its client lives and no longer.
    case notPersistable
    /// The bookmark is malformed, unknown, revoked or another principal's: deliberately one answer for all.
    case bookmarkUnusable
    /// The kind of the principal is not known to this version (I2).
    case unrecognisedPrincipal
    /// The identifier that a document should change to has grants of its own, which belong to another document.
    case identifierInUse

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .notGranted: "this client has not been granted that access to the document; choose it in a picker first"
        case .notPersistable: "this right ends with the client; it was not offered to last"
        case .bookmarkUnusable: "the bookmark cannot be used by this client; choose the document again"
        case .unrecognisedPrincipal: "the client could not be recognised"
        case .identifierInUse: "the new identifier already has grants that belong to another document"
        }
    }
}
