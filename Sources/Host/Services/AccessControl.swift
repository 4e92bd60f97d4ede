package import DocentInterfaces
package import Isolation

/// The grant check through which every access goes (law 2, G7).
package struct AccessControl: Sendable {
    /// Grants, in memory for the check.
    package let grants: GrantStore
    /// Bookmarks.
    package let bookmarks: BookmarkStore
    /// Who was let in and who was not.
    package let audit: AuditLog

    private let aliases: ItemAliases

    package init(grants: GrantStore, bookmarks: BookmarkStore, audit: AuditLog, aliases: ItemAliases) {
        self.grants = grants
        self.bookmarks = bookmarks
        self.audit = audit
        self.aliases = aliases
    }

    /// Whether there is a grant, also where the item's identifier changes at this very moment: a right follows it (F4).
    package func check(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        if grants.check(session.principal, key, access) != nil { return true }
        // Asked afterwards: an alias is known before its former key loses its grants.
        let now = aliases.current(key)
        return now != key && grants.check(session.principal, now, access) != nil
    }

    /// Whether the client may. Synchronous, reads no database and writes no log beyond a counter (L1).
    package func allows(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        guard check(session, key, access) else { return false }
        audit.noteOpened(session.principal, key, access)
        return true
    }

    /// Lets an access through, or refuses it, durably noted (I4).
    ///
    /// - Throws: ``Failure`` `NotPermitted`.
    package func require(_ session: Session, _ key: ItemKey, _ access: AccessLevel, for what: String) async throws {
        if allows(session, key, access) { return }
        try? await audit.recordRefused(session.principal, key, access, reason: what)
        throw Self.refusal(session, access)
    }

    /// The answer to an access without a grant. It does not say whether the document exists.
    package static func refusal(_ session: Session, _ access: AccessLevel) -> Failure {
        Failure(
            .notPermitted,
            "\(session.principal.identifier) has no right to \(access == .read ? "read" : "write") this document.",
            suggestion: "Choose it: docent open LOCATION --client \(session.principal.identifier)")
    }

    /// Records what the user chose; durable when it returns (I4).
    package func grant(
        _ session: Session, _ key: ItemKey, _ access: AccessLevel, origin: Grant.Origin
    ) async throws {
        _ = try await grants.record(session.principal, key, access, origin: origin, executable: session.executable)
    }
}
