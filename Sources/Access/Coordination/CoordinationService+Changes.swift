package import Coordination
package import DocentInterfaces
package import HostCore
import Records
import RemoteDocuments
package import Rights

extension CoordinationService {
    // MARK: Claims around changes of the host

    /// Runs a change inside a claim that the client holds, or inside a new one. Presenters are asked before the change
    /// and notified after it (2.4).
    ///
    /// Nothing has changed until the body runs; an error before that leaves everything as it was.
    ///
    /// - Parameters:
    ///   - claim: the operation of a claim that the session must hold.
    ///   - accesses: what is written.
    ///   - body: records its changes in the record.
    /// - Throws: ``Failure`` `ClaimLost` and others; what the body throws.
    package func withClaim<Result: Sendable>(
        _ session: Session?, claim operation: String?,
        _ accesses: [(place: Wire.ItemPlace, options: WritingOptions)],
        _ body: @Sendable (ChangeRecord) async throws -> Result
    ) async throws -> Result {
        var located: [ItemAccess] = []
        for access in accesses {
            located.append(ItemAccess(location: await place(access.place), intent: .writing(access.options)))
        }
        return try await withClaim(session, claim: operation, located, body)
    }

    /// Runs a change of one item's content inside a claim.
    package func withClaim<Result: Sendable>(
        _ session: Session?, claim operation: String?, writing key: ItemKey,
        _ body: @Sendable (ChangeRecord) async throws -> Result
    ) async throws -> Result {
        let location = await place(Wire.ItemPlace(reference: key.reference))
        return try await withClaim(
            session, claim: operation, [ItemAccess(location: location, intent: .writing([]))], body)
    }

    /// Runs the creation of an item in a folder inside a claim. Creation never replaces anything.
    package func withClaim<Result: Sendable>(
        _ session: Session?, claim operation: String? = nil, creating name: String, in folder: ItemKey,
        _ body: @Sendable (ChangeRecord) async throws -> Result
    ) async throws -> Result {
        let above = await place(Wire.ItemPlace(reference: folder.reference))
        let location = ItemLocation(
            item: hierarchy.absentKey(name, in: above.item), folders: [above.item] + above.folders,
            packages: (above.isPackage ? [above.item] : []) + above.packages)
        return try await withClaim(
            session, claim: operation, [ItemAccess(location: location, intent: .writing(.forReplacing))], body)
    }

    /// The location of an item, as far as it is known. The change itself finds out whether it is possible, and an
    /// unreachable provider must not delay a save (law 6).
    private func place(_ place: Wire.ItemPlace) async -> ItemLocation {
        let key = aliases.current(place.reference.key)
        if place.name == nil, let known = hierarchy.cached(key, mayBeStale: true) { return known }
        if let found = try? await locate(place) { return found.location }
        let item = hierarchy.cached(key, mayBeStale: true) ?? ItemLocation(item: key.coordinated)
        guard let name = place.name else { return item }
        return ItemLocation(
            item: hierarchy.absentKey(name, in: item.item), folders: [item.item] + item.folders, packages: item.packages
        )
    }

    func withClaim<Result: Sendable>(
        _ session: Session?, claim operation: String?, _ accesses: [ItemAccess],
        _ body: @Sendable (ChangeRecord) async throws -> Result
    ) async throws -> Result {
        try await inClaim(session, claim: operation, accesses) { _, record in try await body(record) }
    }

    /// Passes the claim to the body. When it returns, running searches know what has changed (K3).
    private func inClaim<Result: Sendable>(
        _ session: Session?, claim operation: String?, _ accesses: [ItemAccess],
        _ body: @Sendable (Claim.Identifier, ChangeRecord) async throws -> Result
    ) async throws -> Result {
        let result = try await claiming(session, claim: operation, accesses, body)
        await indexed.settle()
        return result
    }

    private func claiming<Result: Sendable>(
        _ session: Session?, claim operation: String?, _ accesses: [ItemAccess],
        _ body: @Sendable (Claim.Identifier, ChangeRecord) async throws -> Result
    ) async throws -> Result {
        let record = ChangeRecord()
        if let session, let operation {
            var id: Claim.Identifier?
            // Claiming the destination as well is recommended (2.2), not required.
            for access in accesses where !access.location.item.isAbsent {
                id = try claim(session, operation, writing: access.location.item.item)
            }
            if id == nil { id = held(session, operation) }
            guard let id else { throw Self.lost }
            defer { note(record, in: id) }
            return try await ClaimContext.$held.withValue(id) { try await body(id, record) }
        }
        if let session, let id = covering(session, accesses) {
            defer { note(record, in: id) }
            return try await ClaimContext.$held.withValue(id) { try await body(id, record) }
        }
        var request = ClaimRequest(
            party: session.map { CoordinationParty($0) } ?? .daemon, session: session, accesses: accesses)
        request.isImplicit = true
        // Nothing has changed yet: the error names the party that holds the change back, and the caller can retry (law
        // 5).
        request.deadline = presenterDeadline * 3
        // A party that holds a claim must not wait for itself.
        request.enclosing = session.map { own($0) } ?? []
        let id = try await acquire(request)
        defer {
            note(record, in: id)
            release(id)
        }
        return try await ClaimContext.$held.withValue(id) { try await body(id, record) }
    }

    /// The claim for writing that a session holds on all of these accesses.
    private func covering(_ session: Session, _ accesses: [ItemAccess]) -> Claim.Identifier? {
        let owner = Claim.Owner(rawValue: session.number)
        return withTable { table in
            table.engine.claims(of: owner).filter { held in
                table.claims[held.id]?.isHeld == true
                    && accesses.allSatisfy { access in
                        access.location.item.isAbsent
                            || held.accesses.contains { $0.isWriting && $0.location.unit == access.location.unit }
                    }
            }.map(\.id).min()
        }
    }

    private func own(_ session: Session) -> [Claim.Identifier] {
        let owner = Claim.Owner(rawValue: session.number)
        return withTable { table in
            table.engine.claims(of: owner).map(\.id).filter { table.claims[$0]?.isHeld == true }.sorted()
        }
    }

    private func note(_ record: ChangeRecord, in id: Claim.Identifier) {
        let done = record.taken
        guard !done.isEmpty else { return }
        for made in done.appeared {
            hierarchy.note(made.item)
            indexed.note(.item(made.item.reference.key))
        }
        for key in Array(done.changed.keys) + Array(done.deleted) { indexed.note(.item(key.item)) }
        var locations: [CoordinatedItem: ItemLocation] = [:]
        for key in Array(done.changed.keys) + Array(done.deleted) {
            locations[key] = hierarchy.cached(key.item, mayBeStale: true) ?? ItemLocation(item: key)
        }
        change { table in
            var actions: [CoordinationTable.Action] = []
            let named = Set(table.engine.claim(id)?.accesses.map(\.location.item) ?? [])
            for (key, version) in done.changed {
                table.told[key] = version
                table.gone.remove(key)
                if named.contains(key) {
                    table.change(id) { _ = $0.outcome.changed.insert(key) }
                } else if let location = locations[key] {
                    actions += table.handle(.changed(location, by: .claim(id), .content))
                }
            }
            for made in done.appeared {
                let key = made.item.reference.key.coordinated
                table.told[key] = made.item.version
                let location =
                    hierarchy.cached(key.item, mayBeStale: true)
                    ?? ItemLocation(
                        item: key, folders: [made.folder.coordinated])
                actions += table.handle(
                    .appeared(hierarchy.absentKey(made.name, in: made.folder.coordinated), as: location, by: id))
            }
            for key in done.deleted {
                table.told[key] = nil
                table.gone.insert(key)
                if named.contains(key) {
                    table.change(id) { _ = $0.outcome.deleted.insert(key) }
                } else if let location = locations[key] {
                    actions += table.handle(.changed(location, by: .claim(id), .deleted))
                }
            }
            return actions
        }
        for key in done.deleted { hierarchy.drop(key.item) }
    }

    // MARK: Moves and deletions by the host

    package func withMove<Result: Sendable>(
        _ session: Session?, claim: String?, from key: ItemKey, toFolder folder: ItemKey,
        name: String, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let accesses = [
            ItemAccess(location: await place(.init(reference: key.reference)), intent: .writing(.forMoving)),
            ItemAccess(
                location: await place(.init(reference: folder.reference, name: name)), intent: .writing(.forReplacing)),
        ]
        return try await inClaim(session, claim: claim, accesses) { [self] id, _ in
            let result = try await body()
            await moved(key, to: aliases.current(key.reference.key), by: id)
            return result
        }
    }

    package func withDelete<Result: Sendable>(
        _ session: Session?, claim: String?, _ key: ItemKey,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let access = ItemAccess(
            location: await place(.init(reference: key.reference)), intent: .writing(.forDeleting))
        return try await withClaim(session, claim: claim, [access]) { record in
            let result = try await body()
            record.deleted(key)
            return result
        }
    }

    // MARK: Moves

    /// Called when the client reports that it moved an item inside a claim of its own (2.5).
    ///
    /// Everyone's claims and presenters follow to the new item, so the client needs the right to write both.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without these rights; `InvalidArgument` for an item of another account.
    package func didMove(
        _ session: Session, claim operation: String, from: ItemKey, to: ItemKey
    ) async throws {
        // The old location may no longer exist.
        if access.lastGround(session.principal, from, .readWrite) == nil {
            try await access.require(session, from, .readWrite, for: "move")
        }
        try await access.require(session, to, .readWrite, for: "move")
        guard from.provider == to.provider, from.domain == to.domain else {
            throw Failure(
                .invalidArgument, "A moved item stays within its provider and its account.",
                suggestion: "Coordinate the deletion of one item and the creation of the other instead.")
        }
        let id = try claim(session, operation, writing: from)
        hierarchy.drop(to)
        await moved(from, to: to, by: id)
    }

    /// Called when an item's place or identifier changed, for whatever reason. Waiting claims and presenters follow it.
    package func moved(_ from: ItemKey, to: ItemKey) {
        // The rights of a deleted item move to a tombstone. The item itself has not moved.
        guard !Tombstone.isOne(to.identifier) else { return }
        guard isBusy else { return hierarchy.drop(from) }
        let by = mover(of: from)
        Task { await moved(from, to: to, by: by) }
    }

    /// The claim of the host or a client that is held for moving an item.
    private func mover(of key: ItemKey) -> Claim.Identifier? {
        withTable { table in
            table.claims.filter { id, entry in
                entry.isHeld
                    && entry.accesses.contains { access in
                        guard case .writing(let options) = access.intent else { return false }
                        return options == .forMoving && access.location.item == key.coordinated
                    }
            }.keys.min()
        }
    }

    /// Reports a move once: later reports of the same move by the same claim are ignored.
    func moved(_ from: ItemKey, to: ItemKey, by id: Claim.Identifier?) async {
        hierarchy.drop(from)
        hierarchy.drop(to)
        indexed.note(.item(from))
        indexed.note(.item(to))
        let location = (try? await hierarchy.location(to)) ?? ItemLocation(item: to.coordinated)
        // With some providers, renaming a document changes its version.
        let version = try? await gateway.item(to).version
        change { table in
            if let id {
                // Nil: the holder of that claim has already reported the move.
                guard table.change(id, { $0.moved.insert(from.coordinated).inserted }) == true else { return [] }
            }
            if let told = table.told.removeValue(forKey: from.coordinated) {
                table.told[to.coordinated] = version ?? told
            }
            let isHeld = id.map { table.claims[$0]?.isHeld == true } ?? false
            return table.handle(.moved(isHeld ? id : nil, from: from.coordinated, to: location))
        }
    }

    /// Called when an item was created at a place that was empty. Claims and presenters of that place now refer to the
    /// item.
    package func appeared(
        _ item: Wire.Item, name: String, in folder: ItemKey, by id: Claim.Identifier? = nil
    ) async {
        hierarchy.note(item)
        guard isBusy, let location = try? await hierarchy.location(item.reference.key) else { return }
        change { table in
            // A lookup may have found it first.
            guard item.version == nil || !table.told[location.item].isSame(as: item.version) else { return [] }
            table.told[location.item] = item.version
            let isHeld = id.map { table.claims[$0]?.isHeld == true } ?? false
            return table.handle(
                .appeared(hierarchy.absentKey(name, in: folder.coordinated), as: location, by: isHeld ? id : nil))
        }
    }
}
