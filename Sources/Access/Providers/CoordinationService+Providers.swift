package import Coordination
import DocentInterfaces
import ExtensionHosting
package import HostCore
import RemoteDocuments
import Rights

extension CoordinationService: ProviderCoordination {
    package func acquire(_ claim: ProviderClaim, for party: CoordinationParty) async throws -> Claim.Identifier {
        var accesses: [ItemAccess] = []
        for access in claim.accesses {
            let key = access.key
            let intent = try ClaimRequest.intent(
                Wire.ClaimAccess(
                    place: Wire.ItemPlace(
                        reference: Wire.ItemReference(
                            provider: key.provider, domain: key.domain, identifier: key.identifier)),
                    writing: access.writing, options: access.options))
            accesses.append(
                ItemAccess(
                    location: try await place(access, followsLinks: ItemAccess.followsLinks(intent)),
                    intent: claim.hasProviderPurpose ? Self.unfetched(intent) : intent))
        }
        var request = ClaimRequest(party: party, accesses: accesses)
        request.purpose = claim.purpose.map { "provider:\(claim.provider):\($0)" }
        request.statedPurpose = claim.purpose
        request.operation = claim.name
        request.hasProviderPurpose = claim.hasProviderPurpose
        request.enclosing = claim.enclosing
        request.deadline = 60
        if case .item(let method, let called)? = claim.call { try connect(&request, method, called) }
        for waiter in claim.waiters { connect(&request, waiter) }
        return try await acquire(request)
    }

    package func finish(_ id: Claim.Identifier) {
        let written = withTable { table -> [ItemKey] in
            guard let claim = table.engine.claim(id), table.engine.isHeld(id) else { return [] }
            // Changes inside a change of the host are reported by that change.
            let outer = Set(
                claim.within.flatMap { table.engine.claim($0)?.accesses ?? [] }.filter(\.isWriting).map(\.location.item)
            )
            return claim.accesses.filter(\.isWriting).map(\.location).filter {
                !outer.contains($0.item) && isPresented($0, table)
            }
            .map(\.item.item)
        }
        guard !written.isEmpty else { return release(id) }
        // Waiting claims must not wait for a provider that does not answer.
        let timer = Task { [self] in
            try? await clock.sleep(for: Self.patience)
            release(id)
        }
        Task { [self] in
            for key in written { await lookAgain(key, in: id) }
            release(id)
            timer.cancel()
        }
    }

    /// How long others wait for a provider to report what it has written.
    private static let patience = Duration.seconds(5)

    private func isPresented(_ location: ItemLocation, _ table: CoordinationTable) -> Bool {
        table.presenters.values.contains { $0.item == location.item || location.folders.contains($0.item) }
    }

    /// Finds out what an extension has changed inside its claim. Presenters are notified when the claim ends, with the
    /// extension as the cause.
    private func lookAgain(_ key: ItemKey, in id: Claim.Identifier) async {
        let former = hierarchy.place(key)
        let location = hierarchy.cached(key, mayBeStale: true)
        hierarchy.drop(key)
        do {
            let item = try await gateway.refreshed(key)
            hierarchy.note(item)
            let moved = former != nil && hierarchy.place(key) != former
            let now = try await hierarchy.location(key)
            change { table in
                guard table.engine.isHeld(id) else { return [] }
                let before = table.told[now.item]
                if !before.isSame(as: item.version) || (item.version == nil && !item.isFolder) {
                    table.told[now.item] = item.version
                    table.gone.remove(now.item)
                    table.change(id) { _ = $0.outcome.changed.insert(now.item) }
                }
                return moved ? table.handle(.moved(id, from: now.item, to: now)) : []
            }
        } catch let failure as Failure {
            guard failure.code == .notFound, let location else { return }
            change { table in
                guard table.engine.isHeld(id) else { return [] }
                table.told[location.item] = nil
                table.gone.insert(location.item)
                table.change(id) { _ = $0.outcome.deleted.insert(location.item) }
                return []
            }
        } catch {}
    }

    /// The same intent without waiting for the provider. Under its own purpose a provider triggers no calls to itself
    /// (2.7, H3): content that it is just delivering would never arrive.
    private static func unfetched(_ intent: ItemAccess.Intent) -> ItemAccess.Intent {
        switch intent {
        case .reading(let options): .reading(options.union(.immediatelyAvailableMetadataOnly))
        case .writing(let options) where options.isDisjoint(with: [.forDeleting, .forMoving, .forReplacing]):
            // Excludes others and asks presenters as before.
            .writing(options.union(.contentIndependentMetadataOnly))
        case .writing: intent
        }
    }

    /// Methods that deliver an item's content.
    private static let fetching: Set<String> = ["Provide", "Fetch", "OpenInPlace"]

    /// Records what the extension's call delivers. This distinguishes a claim that would wait for that very delivery
    /// from one that simply waits its turn.
    private func connect(
        _ request: inout ClaimRequest, _ method: String, _ called: ItemKey
    ) throws(Failure) {
        request.during = claimProviding(called)
        let joining = request.accesses.indices.filter {
            let access = request.accesses[$0]
            guard access.location.item == called.coordinated else { return false }
            return access.need == .content || (request.hasProviderPurpose && !access.isWriting)
        }
        if !joining.isEmpty, Self.fetching.contains(method) {
            guard request.hasProviderPurpose else { throw joined(request, called) }
            // Only the metadata of an item can be read while it is being delivered; writers wait for its recipient.
            for index in joining {
                let location = request.accesses[index].location
                request.accesses[index] = ItemAccess(
                    location: location, intent: .reading([.immediatelyAvailableMetadataOnly, .withoutChanges]))
            }
        }
    }

    /// Records which claims wait for the call in which a claim is made. The new claim goes ahead of claims that wait
    /// for these, and is refused if it would have to wait for one of them.
    private func connect(_ request: inout ClaimRequest, _ waiter: ServedCalls.Waiter) {
        switch waiter {
        case .claim(let id):
            guard let outer = withTable({ $0.engine.isHeld(id) ? $0.engine.claim(id) : nil }) else { return }
            // Both serve the same change (2.7).
            if request.hasProviderPurpose { request.purpose = outer.purpose }
            request.enclosing.append(id)
        case .client(let owner):
            request.enclosing += withTable { table in
                table.engine.claims(of: owner).map(\.id).filter { table.engine.isHeld($0) }
            }
        case .nobody: break
        }
    }

    /// The error for a claim that needs content which the extension is just delivering: the claim would wait for the
    /// extension itself (2.9, deadlock 5).
    private func joined(_ request: ClaimRequest, _ called: ItemKey) -> Failure {
        let name = words.name(called.coordinated)
        let own = "claim of \(request.party.words) on \(name)"
        let reader = request.during.flatMap { reader in
            withTable { table in table.claims[reader]?.party.words }
        }
        let way = reader.map { "the claim of \($0) on \(name), which waits for " } ?? ""
        return Failure(
            .deadlock,
            "The claim would wait for itself: \(own), which waits for \(way)provider \(called.provider) to deliver it, "
                + "which waits for \(own).",
            suggestion: "Set the coordinator's purposeIdentifier to the providerIdentifier.")
    }

    /// The location of an item. An item that does not exist yet has a location of its own, without folders.
    private func place(_ access: ProviderClaim.Access, followsLinks: Bool) async throws -> ItemLocation {
        do {
            if followsLinks, hierarchy.mayBeLink(access.key),
                let target = try await hierarchy.linkTarget(of: access.key)
            {
                return try await hierarchy.location(target)
            }
            return try await hierarchy.location(access.key)
        } catch let failure as Failure {
            guard failure.code == .notFound, access.writing else { throw failure }
            return ItemLocation(item: access.key.coordinated)
        }
    }
}
