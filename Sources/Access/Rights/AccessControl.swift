package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Records
package import Rights

/// The grant check that every access passes (law 2, G7).
///
/// A right covers its item. A right to a folder or package covers its current content. A right with patterns covers
/// names that match beside its document (``RightDecision``). A location is trusted for ``placeAge`` after its provider
/// reported it, then asked for again. If a provider cannot be asked, the last known location counts.
package struct AccessControl: Sendable {
    /// The grants, in memory for the check.
    package let grants: GrantStore
    /// The bookmarks that depend on grants.
    package let bookmarks: BookmarkStore
    /// Records granted and refused accesses.
    package let audit: AuditLog

    /// How long a location that a provider reported is trusted for rights before it is asked for again.
    package static let placeAge = Duration.seconds(1)
    private let aliases: ItemAliases
    let hierarchy: ItemHierarchy?
    private let companions: CompanionPlaces?
    private let dropBoxes: DropBoxes?
    private let closed: ClosedDomains?
    private let recents: DocumentUses?
    private let clock: any HostClock
    private let waits = AccessWaits()

    /// - Parameters:
    ///   - hierarchy: knows the locations of items; without it rights cover only their own items.
    ///   - dropBoxes: providers whose items are inaccessible, whatever rights there are (A5).
    ///   - closed: domains whose items are inaccessible until the next login (O7).
    ///   - recents: where used documents are noted; without it, nowhere.
    package init(
        grants: GrantStore, bookmarks: BookmarkStore, audit: AuditLog, aliases: ItemAliases,
        hierarchy: ItemHierarchy? = nil, dropBoxes: DropBoxes? = nil, closed: ClosedDomains? = nil,
        recents: DocumentUses? = nil, clock: any HostClock = SystemClock()
    ) {
        self.recents = recents
        self.clock = clock
        self.closed = closed
        self.dropBoxes = dropBoxes
        self.hierarchy = hierarchy
        companions = hierarchy.map { CompanionPlaces(grants: grants, hierarchy: $0) }
        self.grants = grants
        self.bookmarks = bookmarks
        self.audit = audit
        self.aliases = aliases
    }

    // MARK: The right for an access

    /// The right that allows an access, as far as known in memory; nil if none is known. Takes only locks (L1).
    ///
    /// Also finds the right while the item's identifier is changing: rights follow it (F4).
    package func ground(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Grant? {
        ground(principal, key, access, within: Self.placeAge)
    }

    /// The right that allows an access by last known locations, however old. It decides what may continue for now.
    package func lastGround(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Grant? {
        ground(principal, key, access, within: nil)
    }

    private func ground(
        _ principal: Principal, _ key: ItemKey, _ access: AccessLevel, within age: Duration?
    ) -> Grant? {
        if isShut(key) { return nil }
        if let grant = grants.check(principal, key, access) { return grant }
        // Checked second: an alias is known before its former key loses its grants.
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

    /// The right that allows an access. Providers are asked for locations that they have not reported recently, but not
    /// if the client has no right in the account.
    package func currentGround(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) async -> Grant? {
        if let known = ground(principal, key, access) { return known }
        let now = aliases.current(key)
        // A NUL would end the identifier for the database and for providers in C, so it would name another item.
        guard !isShut(key), let hierarchy, grants.hasGrants(of: principal, in: now),
            now.isStorable, let place = try? await hierarchy.currentPlace(of: now, within: Self.placeAge)
        else { return nil }
        // News may arrive the next moment: the decision uses the answer as it was.
        if let grant = grants.ground(principal, place, access) { return grant }
        return await companions?.currentGround(principal, place, access, within: Self.placeAge)
    }

    /// Whether the item's domain is signed out, so that rights to it do not count (O7).
    package func isClosed(_ key: ItemKey) -> Bool { closed?.contains(key) == true }

    private func isShut(_ key: ItemKey) -> Bool { dropBoxes?.contains(key.provider) == true || isClosed(key) }

    /// Refuses access to a signed-out domain. Only a client with a right there learns that it is signed out.
    ///
    /// - Throws: ``Failure`` `NotAuthenticated`.
    package func requireOpen(_ principal: Principal, _ key: ItemKey) throws(Failure) {
        guard isClosed(key), grants.hasGrants(of: principal, in: aliases.current(key)) else { return }
        try closed?.require(key)
    }

    // MARK: Checking

    /// Whether there is a right to an access, as far as known in memory.
    package func check(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        ground(session.principal, key, access) != nil
    }

    /// Whether a principal has a right to an access, as far as known in memory.
    package func check(_ principal: Principal, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        ground(principal, key, access) != nil
    }

    /// Whether the client still has the right, checked again after a long operation. Records nothing.
    package func stillAllows(_ session: Session, _ key: ItemKey, _ access: AccessLevel) async -> Bool {
        await currentGround(session.principal, key, access) != nil
    }

    /// Whether the client has the right. Synchronous; reads no database and writes no log beyond a counter (L1).
    package func allows(_ session: Session, _ key: ItemKey, _ access: AccessLevel) -> Bool {
        guard let ground = ground(session.principal, key, access) else { return false }
        noteOpened(session, key, access, ground)
        return true
    }

    /// Counts an access that a right allowed (I4).
    package func noteOpened(_ session: Session, _ key: ItemKey, _ access: AccessLevel, _ ground: Grant) {
        audit.noteOpened(
            session.principal, key, access, grant: ground.id, process: session.process, executable: session.executable)
    }

    /// Notes that a client uses a document, for the list of recent ones. Takes only locks (L1).
    package func noteUsed(_ session: Session, _ item: Wire.Item) {
        guard let recents, !session.leavesNoTrace else { return }
        let document = UsedDocument(
            key: item.reference.key, name: item.name, contentType: item.contentType, isFolder: item.isFolder)
        recents.note(session.principal, document, at: clock.date)
    }

    /// Allows and counts an access, or refuses it and records the refusal (I4).
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

    /// Runs a body that may take long under a right, and ends it when the right is revoked (I3).
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

    /// Ends the work in domains that are signed out.
    package func endWaitsInClosed() {
        waits.end(nil) { !isClosed($0.key) }
    }

    /// Ends the work that depended on rights that are gone.
    package func endWaits(_ gone: [Grant]) {
        waits.end(Set(gone.map(\.principal))) { lastGround($0.principal, $0.key, $0.access) != nil }
    }

    /// The error for an access without a grant. It does not reveal whether the document exists.
    package static func refusal(_ session: Session, _ access: AccessLevel) -> Failure {
        Failure(
            .notPermitted,
            "\(session.principal.identifier) has no right to \(access == .read ? "read" : "write") this document.",
            suggestion: session.principal.isConfined
                ? "Ask for it with RequestPick (docent picks ask), or have it granted: docent grants add "
                    + "\(session.principal.identifier) LOCATION --kind \(session.principal.kind.rawValue)"
                : "Choose it: docent open LOCATION --client \(session.principal.identifier)")
    }

    // MARK: Granting

    /// Records the user's choice with its terms; durable when it returns (I4).
    ///
    /// - Throws: ``Failure`` for an item of a drop box.
    package func grant(_ session: Session, _ key: ItemKey, _ offer: GrantOffer) async throws {
        try requireNoDropBox(key)
        try await grants.record(session.principal, key, offer, executable: session.executable)
    }

    /// Refuses an item of a drop box (A5).
    package func requireNoDropBox(_ key: ItemKey) throws(Failure) {
        if dropBoxes?.contains(key.provider) == true { throw DropBoxes.refusal(key.provider) }
    }
}
