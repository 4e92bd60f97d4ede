package import Coordination
import DocentInterfaces
import Isolation

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
                    location: try await place(access),
                    intent: claim.hasProviderPurpose ? Self.unfetched(intent) : intent))
        }
        var request = ClaimRequest(party: party, accesses: accesses)
        request.purpose = claim.purpose.map { "provider:\(claim.provider):\($0)" }
        request.statedPurpose = claim.purpose
        request.hasProviderPurpose = claim.hasProviderPurpose
        request.enclosing = claim.enclosing
        request.deadline = 60
        if case .item(let method, let called)? = claim.call { try connect(&request, method, called) }
        return try await acquire(request)
    }

    /// The same, but not waiting for the provider: under its own purpose a provider triggers no calls of itself (2.7, H3), and what it
    /// brings just now would never come.
    private static func unfetched(_ intent: ItemAccess.Intent) -> ItemAccess.Intent {
        switch intent {
        case .writing(let options) where options.isDisjoint(with: [.forDeleting, .forMoving, .forReplacing]):
            // Excludes and asks as before.
            .writing(options.union(.contentIndependentMetadataOnly))
        case .writing, .reading: intent
        }
    }

    /// Methods that bring an item's content.
    private static let fetching: Set<String> = ["Provide", "Fetch", "OpenInPlace"]
    /// Methods that the host calls within a claim for writing the item.
    private static let changing: Set<String> = ["Modify", "Move", "Delete"]

    /// Says what the extension's call serves, so that a wish that would wait for it is told from one that merely waits.
    private func connect(
        _ request: inout ClaimRequest, _ method: String, _ called: Isolation.ItemKey
    ) throws(Failure) {
        request.during = claimProviding(called)
        let joining = request.accesses.indices.filter {
            let access = request.accesses[$0]
            return access.location.item == called.coordinated && access.need == .content
        }
        if !joining.isEmpty, Self.fetching.contains(method) {
            guard request.hasProviderPurpose else { throw joined(request, called) }
            // Of what is being brought only the description can be read; writers wait for whom it is brought to.
            for index in joining {
                let location = request.accesses[index].location
                request.accesses[index] = ItemAccess(
                    location: location, intent: .reading([.immediatelyAvailableMetadataOnly, .withoutChanges]))
            }
        }
        guard request.during == nil, Self.changing.contains(method), let writing = claimWriting(called) else { return }
        if request.hasProviderPurpose {
            // Both serve the same save (2.7).
            request.purpose = writing.purpose
        } else {
            request.enclosing.append(writing.id)
        }
    }

    /// The claim within which the host has an item changed just now.
    private func claimWriting(_ key: Isolation.ItemKey) -> Claim? {
        withTable { table in
            table.claims.filter { _, entry in
                entry.isHeld && entry.accesses.contains { $0.isWriting && $0.location.item == key.coordinated }
            }.keys.min().flatMap { table.engine.claim($0) }
        }
    }

    /// What is being fetched would be fetched first for this wish too, and that waits for the extension (2.9, deadlock 5).
    private func joined(_ request: ClaimRequest, _ called: Isolation.ItemKey) -> Failure {
        let name = words.name(called.coordinated)
        let own = "claim of \(request.party.words) on \(name)"
        let reader = request.during.flatMap { reader in
            withTable { table in table.claims[reader]?.party.words }
        }
        let way = reader.map { "the claim of \($0) on \(name), which waits for " } ?? ""
        return Failure(
            .deadlock,
            "The claim would have waited for itself: \(own), which waits for \(way)provider \(called.provider) to bring it, "
                + "which waits for \(own).",
            suggestion: "Set the coordinator's purposeIdentifier to the providerIdentifier (H3).")
    }

    /// Where an item lies; one that is not there yet lies by itself.
    private func place(_ access: ProviderClaim.Access) async throws -> ItemLocation {
        do {
            return try await hierarchy.location(access.key)
        } catch let failure as Failure {
            guard failure.code == .notFound, access.writing else { throw failure }
            return ItemLocation(item: access.key.coordinated)
        }
    }
}
