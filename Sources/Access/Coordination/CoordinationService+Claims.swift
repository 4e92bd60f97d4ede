package import Coordination
package import DocentInterfaces
package import HostCore
package import Rights
import Synchronization

extension CoordinationService {
    // MARK: Acquiring claims

    /// Waits until a claim is granted. Cancelling the task cancels the claim.
    ///
    /// - Throws: ``Failure`` with the reason why it was not granted; `DeadlineExceeded` after the request's deadline.
    func acquire(_ request: ClaimRequest) async throws -> Claim.Identifier {
        let wait = ClaimWait()
        var outcome: Result<Claim.Identifier, Failure> = .failure(Failure(.failed, "The claim was not made."))
        change { table in
            do throws(Failure) {
                let claim = try table.claim(request)
                try table.add(claim, table.entry(request, claim, wait: wait))
                outcome = .success(claim.id)
                return table.handle(.requested(claim))
            } catch {
                outcome = .failure(error)
                return []
            }
        }
        let id = try outcome.get()
        let timer = request.deadline.map { seconds in
            let limit = Duration.seconds(min(max(seconds, 0), 1e8))
            // From now, not from when the task gets a thread.
            let first = clock.now + limit
            return Task { [weak self, clock, isPatient = request.isPatient] in
                var end = first
                repeat {
                    do { try await clock.sleep(until: end) } catch { return }
                    end = clock.now + limit
                } while isPatient && self?.isProviding(id) == true
                self?.deadlinePassed(id, seconds)
            }
        }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await wait.wait()
        } onCancel: {
            cancel(id)
        }
        // The claim may have been granted at the moment when it was cancelled.
        if Task.isCancelled {
            release(id)
            throw Failure(.cancelled, "The claim was cancelled.")
        }
        return id
    }

    private func isProviding(_ id: Claim.Identifier) -> Bool { withTable { $0.claims[id]?.isProviding == true } }

    private func deadlinePassed(_ id: Claim.Identifier, _ seconds: Double) {
        let waits = waitsFor(id)
        let reason = waits.isEmpty ? "" : " It waited for \(waits.joined(separator: "; "))."
        cancel(
            id,
            Failure(
                .deadlineExceeded, "The claim was not granted within \(seconds) seconds.\(reason)",
                suggestion: "`docent claims` shows who holds what. Try again, or allow more time."))
    }

    /// Grants a client's claim immediately, on the calling thread, if no presenter has to be asked and there is nothing
    /// to wait for.
    ///
    /// - Returns: nil, with no effect, if the claim cannot be granted immediately.
    func acquireAtOnce(_ request: ClaimRequest) -> Claim.Identifier? {
        withTable { table in
            guard let claim = try? table.claim(request) else { return nil }
            let entry = table.entry(request, claim, wait: nil, isHeld: true)
            guard (try? table.admit(entry)) != nil, table.engine.grantAtOnce(claim, isProvided: true) else {
                return nil
            }
            table.insert(claim, entry)
            return claim.id
        }
    }

    // MARK: Querying claims

    /// The maximum number of other parties that are named when a claim waits.
    private static let told = 8

    /// What a claim is waiting for, in words for its client.
    func waitsFor(_ id: Claim.Identifier) -> [String] {
        withTable { table in
            guard let entry = table.claims[id], !entry.isHeld else { return [] }
            let waits = table.engine.waits(of: id)
            let first = words.waits(Array(waits.prefix(Self.told)), for: entry.party, table)
            return waits.count > Self.told ? first + ["\(waits.count - Self.told) more"] : first
        }
    }

    /// The claim that this session holds under a name; nil if it holds none.
    func held(_ session: Session, _ operation: String) -> Claim.Identifier? {
        withTable { table in
            let name = OwnedName(owner: Claim.Owner(rawValue: session.number), name: operation)
            guard let id = table.claimNames[name], table.claims[id]?.isHeld == true else { return nil }
            return id
        }
    }

    /// Checks that a session holds a claim for writing an item, or for a package or folder that contains it.
    ///
    /// - Throws: ``Failure`` `ClaimLost`.
    package func requireHeld(
        _ session: Session, claim operation: String, writing key: ItemKey
    ) throws(Failure) {
        _ = try claim(session, operation, writing: key)
    }

    func claim(
        _ session: Session, _ operation: String, writing key: ItemKey
    ) throws(Failure) -> Claim.Identifier {
        guard let id = held(session, operation) else { throw Self.lost }
        // Its provider may have just given it another identifier, which the table learns a moment later.
        let key = aliases.current(key)
        let location = hierarchy.cached(key)
        let covers = withTable { table in
            table.engine.claim(id)?.accesses.contains { access in
                guard access.isWriting else { return false }
                let own = access.location
                return aliases.current(own.item.item) == key || location.map { own.unit == $0.unit } ?? false
                    || (own.isFolder && location.map { $0.folders.contains(own.item) } ?? false)
                    || own.item.isAbsent
            } ?? false
        }
        guard covers else {
            throw Failure(
                .invalidArgument, "The claim \(operation) is not for writing this document.",
                suggestion: "Claim the document that you write.")
        }
        return id
    }

    static var lost: Failure {
        Failure(
            .claimLost, "The claim is no longer held: it was released, or lost through a restart or a revocation.",
            suggestion: "Claim the document again, and check whether it has changed meanwhile.")
    }

    /// The claim for which an item is currently being fetched. The provider may make claims of its own during that
    /// fetch.
    package func claimProviding(_ key: ItemKey) -> Claim.Identifier? {
        withTable { table in
            table.claims.filter { _, entry in
                entry.isProviding && entry.accesses.contains { $0.location.item == key.coordinated }
            }.keys.min()
        }
    }

    // MARK: Rights

    /// Called when rights were revoked: claims and presenters that depended on them end (I3).
    package func revoked(_ grants: [Grant]) {
        guard !grants.isEmpty else { return }
        let principals = Set(grants.map(\.principal))
        let (claims, presenters) = withTable { table in
            (
                table.claims.filter { $0.value.principal.map(principals.contains) ?? false }.map {
                    ($0.key, $0.value.principal, table.engine.claim($0.key)?.accesses ?? $0.value.accesses)
                },
                table.presenters.filter { principals.contains($0.value.principal) }.map {
                    ($0.key, $0.value.principal, table.engine.presenter($0.key)?.location)
                }
            )
        }
        for (id, principal, accesses) in claims {
            guard let principal,
                !accesses.allSatisfy({ mayStay(principal, $0.location, $0.isWriting ? .readWrite : .read) })
            else { continue }
            cancel(id, Failure(.notPermitted, "The right to the document was revoked."))
            release(id)
        }
        for (id, principal, location) in presenters {
            guard let location, !mayStay(principal, location, .read) else { continue }
            remove(id)
        }
    }

    /// Whether a principal may continue what it began at a place. Memory alone decides; where providers have to be
    /// asked, the right is checked again later.
    private func mayStay(_ principal: Principal, _ location: ItemLocation, _ level: AccessLevel) -> Bool {
        let own = location.item.isAbsent ? [] : [location.item]
        return (own + location.folders).contains { access.lastGround(principal, $0.item, level) != nil }
    }

    /// Whether a principal has a grant that covers a place: on the item, on a package around it, or, if the place is
    /// empty, on its folder (law 2).
    func isGranted(_ principal: Principal, _ location: ItemLocation, _ level: AccessLevel) -> Bool {
        let own = location.item.isAbsent ? Array(location.folders.prefix(1)) : [location.item]
        return (own + location.packages).contains { access.check(principal, $0.item, level) }
    }

    func require(
        _ session: Session, _ location: ItemLocation, _ level: AccessLevel, for what: String
    ) async throws {
        guard !isGranted(session.principal, location, level) else { return }
        let key = location.item.isAbsent ? (location.folders.first ?? location.item) : location.item
        try await access.require(session, key.item, level, for: what)
    }
}
