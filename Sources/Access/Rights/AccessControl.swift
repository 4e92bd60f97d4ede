package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Rights

/// The grant check through which every access goes (law 2, G7).
///
/// A right covers its item; a right to a folder or package what lies in it now; one with patterns what fits them beside
/// its document (``RightDecision``). Where things lie is believed for ``placeAge`` after their provider said it; then
/// it is asked again. A provider that cannot be asked leaves them where they were last.
package struct AccessControl: Sendable {
    /// Grants, in memory for the check.
    package let grants: GrantStore
    /// Bookmarks.
    package let bookmarks: BookmarkStore
    /// Who was let in and who was not.
    package let audit: AuditLog

    /// How long a place that a provider told decides about rights before it is asked again.
    package static let placeAge = Duration.seconds(1)
    private let aliases: ItemAliases
    let hierarchy: ItemHierarchy?
    private let companions: CompanionPlaces?
    private let dropBoxes: DropBoxes?
    private let closed: ClosedDomains?
    private let waits = AccessWaits()

    /// - Parameters:
    ///   - hierarchy: knows where items lie; without it rights cover their own items alone.
    ///   - dropBoxes: providers whose items nobody may reach, whatever rights there are (A5).
    ///   - closed: domains whose items nobody may reach before the next login (O7).
    package init(
        grants: GrantStore, bookmarks: BookmarkStore, audit: AuditLog, aliases: ItemAliases,
        hierarchy: ItemHierarchy? = nil, dropBoxes: DropBoxes? = nil, closed: ClosedDomains? = nil
    ) {
        self.closed = closed
        self.dropBoxes = dropBoxes
        self.hierarchy = hierarchy
        companions = hierarchy.map { CompanionPlaces(grants: grants, hierarchy: $0) }
        self.grants = grants
        self.bookmarks = bookmarks
        self.audit = audit
        self.aliases = aliases
    }

    // MARK: By which right

    /// The right that allows an access, as far as memory tells; nil is none that is known. Takes locks only (L1).
    ///
    /// Also where the item's identifier changes at this very moment: a right follows it (F4).
    package func ground(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Grant? {
        ground(principal, key, access, within: Self.placeAge)
    }

    /// The same by where things were last known to lie, however long ago that was told: what may go on for now.
    package func lastGround(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Grant? {
        ground(principal, key, access, within: nil)
    }

    private func ground(
        _ principal: Principal, _ key: ItemKey, _ access: AccessLevel, within age: Duration?
    ) -> Grant? {
        if isShut(key) { return nil }
        if let grant = grants.check(principal, key, access) { return grant }
        // Asked afterwards: an alias is known before its former key loses its grants.
        let now = aliases.current(key)
        if now != key, let grant = grants.check(principal, now, access) { return grant }
        guard let hierarchy, grants.hasGrants(of: principal, in: now), now.isStorable,
            let place = hierarchy.place(of: now, within: age)
        else { return nil }
        if let grant = grants.ground(principal, place, access) { return grant }
        guard let beside = companions?.companions(of: principal, beside: place, within: age), !beside.isEmpty else {
            return nil
        }
        return grants.ground(principal, place, access, companions: beside)
    }

    /// The same; the providers are asked where things lie that they did not tell just now. Asks nobody for a client
    /// without any right in the account.
    package func currentGround(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) async -> Grant? {
        if let known = ground(principal, key, access) { return known }
        let now = aliases.current(key)
        // A NUL would end the identifier for the database and for providers in C: it would name another item.
        guard !isShut(key), let hierarchy, grants.hasGrants(of: principal, in: now),
            now.isStorable, let place = try? await hierarchy.currentPlace(of: now, within: Self.placeAge)
        else { return nil }
        // What is learned may be news again the next moment: it is judged as it was told.
        if let grant = grants.ground(principal, place, access) { return grant }
        return await companions?.currentGround(principal, place, access, within: Self.placeAge)
    }

    /// Whether the domain of an item is signed out, so that no right is of use (O7).
    package func isClosed(_ key: ItemKey) -> Bool { closed?.contains(key) == true }

    private func isShut(_ key: ItemKey) -> Bool { dropBoxes?.contains(key.provider) == true || isClosed(key) }

    /// Refuses what is in a domain that is signed out, to a client that has a right there: no other learns that it is.
    ///
    /// - Throws: ``Failure`` `NotAuthenticated`.
    package func requireOpen(_ principal: Principal, _ key: ItemKey) throws(Failure) {
        guard isClosed(key), grants.hasGrants(of: principal, in: aliases.current(key)) else { return }
        try closed?.require(key)
    }

    // MARK: Whether

    /// Whether there is a right, as far as memory tells.
    package func check(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        ground(session.principal, key, access) != nil
    }

    /// The same of a principal.
    package func check(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        ground(principal, key, access) != nil
    }

    /// Whether the client still may, asked again after something that took its time; notes nothing.
    package func stillAllows(_ session: Session, _ key: ItemKey, _ access: AccessLevel) async -> Bool {
        await currentGround(session.principal, key, access) != nil
    }

    /// Whether the client may. Synchronous, reads no database and writes no log beyond a counter (L1).
    package func allows(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        guard let ground = ground(session.principal, key, access) else { return false }
        noteOpened(session, key, access, ground)
        return true
    }

    /// Counts an access by a right (I4).
    package func noteOpened(_ session: Session, _ key: ItemKey, _ access: AccessLevel, _ ground: Grant) {
        audit.noteOpened(
            session.principal, key, access, grant: ground.id, process: session.process, executable: session.executable)
    }

    /// Lets an access through, or refuses it, durably noted (I4).
    ///
    /// - Throws: ``Failure`` `NotPermitted`; `NotAuthenticated` for a domain that is signed out.
    package func require(_ session: Session, _ key: ItemKey, _ access: AccessLevel, for what: String) async throws {
        if let ground = await currentGround(session.principal, key, access) {
            return noteOpened(session, key, access, ground)
        }
        let isDropBox = dropBoxes?.contains(key.provider) == true
        let reason = isDropBox ? "is a drop box" : isClosed(key) ? "is signed out" : "no right to it (\(what))"
        try? await audit.recordRefused(
            session.principal, key, access, reason: reason, process: session.process, executable: session.executable)
        try requireOpen(session.principal, key)
        throw isDropBox ? DropBoxes.refusal(key.provider) : Self.refusal(session, access)
    }

    /// Runs what may take its time by a right that was found, and ends it when that is taken away (I3).
    ///
    /// - Throws: ``Failure`` `NotPermitted`; what the body throws.
    package func whileAllowed<Result: Sendable>(
        _ session: Session, _ key: ItemKey, _ access: AccessLevel,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await waits.run(
            session.principal, key, access,
            refusal: {
                closed?.state(DomainKey(key)).map { SignInWords.refusal(DomainKey(key), $0) }
                    ?? Self.refusal(session, access)
            }, body)
    }

    /// Ends what is being done in domains that are signed out.
    package func endWaitsInClosed() {
        waits.end(nil) { !isClosed($0.key) }
    }

    /// Ends what is being done by rights that are gone.
    package func endWaits(_ gone: [Grant]) {
        waits.end(Set(gone.map(\.principal))) { lastGround($0.principal, $0.key, $0.access) != nil }
    }

    /// The answer to an access without a grant. It does not say whether the document exists.
    package static func refusal(_ session: Session, _ access: AccessLevel) -> Failure {
        Failure(
            .notPermitted,
            "\(session.principal.identifier) has no right to \(access == .read ? "read" : "write") this document.",
            suggestion: session.principal.isConfined
                ? "Ask for it with RequestPick (docent picks ask), or have it given: "
                    + "docent grants add \(session.principal.identifier) LOCATION --kind \(session.principal.kind.rawValue)"
                : "Choose it: docent open LOCATION --client \(session.principal.identifier)")
    }

    // MARK: Giving

    /// Records what the user chose; durable when it returns (I4).
    package func grant(
        _ session: Session, _ key: ItemKey, _ access: AccessLevel, origin: Grant.Origin
    ) async throws {
        try await grant(session, key, GrantOffer(access: access, origin: origin))
    }

    /// The same with its terms.
    ///
    /// - Throws: ``Failure`` for an item of a drop box.
    package func grant(_ session: Session, _ key: ItemKey, _ offer: GrantOffer) async throws {
        try requireNoDropBox(key)
        try await grants.record(session.principal, key, offer, executable: session.executable)
    }

    /// Refuses what is in a drop box (A5).
    package func requireNoDropBox(_ key: ItemKey) throws(Failure) {
        if dropBoxes?.contains(key.provider) == true { throw DropBoxes.refusal(key.provider) }
    }
}
