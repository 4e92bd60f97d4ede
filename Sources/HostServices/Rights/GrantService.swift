package import Access
package import DocentInterfaces
package import ExtensionHosting
package import FoundationEssentials
package import HostCore
package import RemoteDocuments
package import Rights
package import Saving

/// The rights of clients: those that clients have, take and give up, and those that the user grants and revokes (G7,
/// I3).
///
/// However a right ends, ``ended(_:)`` ends what depended on it before the call returns.
package struct GrantService: Sendable {
    /// The number of rights per page.
    package static let pageSize = 100

    private let registry: ProviderRegistry
    private let gateway: DocumentGateway
    private let access: AccessControl
    private let name: @Sendable (ItemKey) async -> String?
    private let changes: ContentChanges
    private let writes: WriteService
    private let clock: any HostClock

    /// - Parameter name: returns the name of an item, if it is known locally.
    package init(
        registry: ProviderRegistry, gateway: DocumentGateway, access: AccessControl, changes: ContentChanges,
        writes: WriteService, name: @escaping @Sendable (ItemKey) async -> String?,
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.registry = registry
        self.gateway = gateway
        self.access = access
        self.name = name
        self.changes = changes
        self.writes = writes
    }

    // MARK: The client's own rights

    /// A page of the rights of a client, oldest first.
    package func granted(
        _ session: Session, page: String?
    ) async throws -> (items: [Wire.GrantedItem], nextPage: String?) {
        let found = try await self.page(GrantFilter(principal: session.principal), page)
        var items: [Wire.GrantedItem] = []
        for grant in found.grants where !grant.isExpired(at: clock.date) {
            items.append(
                Wire.GrantedItem(
                    reference: grant.item.reference, name: await name(grant.item) ?? grant.name,
                    isFolder: grant.isFolder,
                    access: grant.access.rawValue, isPersistent: grant.isPersistent,
                    isPersistable: grant.isPersistable, origin: grant.origin.rawValue,
                    created: grant.created.timeIntervalSince1970, expires: grant.expires?.timeIntervalSince1970,
                    companions: Self.texts(grant)))
        }
        return (items, found.next)
    }

    /// Makes a right persistent that was offered to the client as such.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without a right to the item itself, or if it was not offered as persistent.
    package func take(_ session: Session, _ key: ItemKey) async throws {
        try access.requireNoDropBox(key)
        do {
            try await access.grants.take(session.principal, key)
        } catch let error as AccessError {
            throw await refusal(session, key, error)
        }
    }

    /// Narrows a client's right, or gives it up.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without a right to the item itself, or if the change would widen it.
    package func narrow(_ session: Session, _ key: ItemKey, to name: String?) async throws {
        let level = try name.map { try GrantTerms.level($0) }
        do {
            guard let former = try await access.grants.narrow(session.principal, key, to: level) else { return }
            _ = await ended([former])
        } catch let error as AccessError {
            throw await refusal(session, key, error)
        }
    }

    private func refusal(_ session: Session, _ key: ItemKey, _ error: AccessError) async -> Failure {
        if error == .notPersistable {
            return Failure(
                .notPermitted, "This right was granted only for as long as the client runs.",
                suggestion: "Choose the document again, with a right that lasts.")
        }
        // Only a client that may read the item learns that its right is to the folder.
        guard let ground = await access.currentGround(session.principal, key, .read) else {
            return AccessControl.refusal(session, .read)
        }
        return ground.item == key
            ? Failure(
                .notPermitted, "A client cannot widen its own right.",
                suggestion: "Choose the document again for more.")
            : Failure(
                .notPermitted, "The right to this document comes from a folder around it or from a document beside it.",
                suggestion: "Use that item's reference; Granted lists it.")
    }

    // MARK: The user's administration

    /// A page of the rights that match a filter, oldest first.
    package func list(_ filter: GrantFilter, page: String?) async throws -> (grants: [Wire.Grant], nextPage: String?) {
        let found = try await self.page(filter, page)
        // Includes the counts that are still in memory.
        try? await access.audit.flush()
        let used = try await access.audit.lastUses(of: found.grants.map(\.id))
        var grants: [Wire.Grant] = []
        for grant in found.grants {
            grants.append(Self.wire(grant, name: await name(grant.item) ?? grant.name, used: used[grant.id]))
        }
        return (grants, found.next)
    }

    /// Revokes rights. When it returns, this is durable and everything that depended on them has ended (I3).
    ///
    /// - Returns: the number of rights, and of read descriptors that may still be open.
    package func revoke(_ filter: GrantFilter) async throws -> (revoked: Int, openDescriptors: Int) {
        let revoked = try await access.grants.revoke(filter)
        return (revoked.count, await ended(revoked))
    }

    /// Grants a client a right to the item at a location, as if the user had chosen it for the client.
    package func add(
        _ principal: Principal, _ location: Wire.Location, _ offer: GrantOffer
    ) async throws -> (grant: Grant, item: Wire.Item) {
        guard SessionRegistry.isAcceptable(principal.identifier) else {
            throw Failure(
                .invalidArgument, "\"\(principal.identifier)\" is not a client identifier.",
                suggestion: "Use reverse DNS, like org.example.Editor.")
        }
        let provider = try await registry.usable(location.provider)
        try access.requireNoDropBox(
            ItemKey(provider: provider.identifier, domain: location.domain, identifier: ItemKey.rootIdentifier))
        var item = try await gateway.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain)
        let offer = try GrantTerms.offer(offer, of: item)
        var grant = try await access.grants.record(principal, item.reference.key, offer)
        let now = try await gateway.currentKey(item.reference.key)
        if now != item.reference.key {
            grant = try await access.grants.record(principal, now, offer)
            item.reference = now.reference
        }
        return (grant, item)
    }

    /// Builds the filter of a call. A removed provider is named by its full identifier.
    package func filter(
        client: String?, kind: String?, provider: String?, location: Wire.Location?, olderThan: Double?, id: Int?
    ) async throws -> GrantFilter {
        var filter = GrantFilter()
        filter.clientIdentifier = client
        filter.kind = try kind.map { try GrantTerms.kind($0) }
        filter.id = id.map(Int64.init)
        if let olderThan {
            guard olderThan >= 0, olderThan < 1e10 else {
                throw Failure(.invalidArgument, "Nothing is older than \(olderThan) seconds.")
            }
            filter.createdBefore = clock.date.addingTimeInterval(-olderThan)
        }
        if let provider { filter.provider = (try? await registry.provider(provider))?.identifier ?? provider }
        if let location {
            filter.item = try await gateway.item(
                at: try ItemPath(location.path), provider: location.provider, domain: location.domain
            ).reference.key
        }
        return filter
    }

    // MARK: When rights end

    /// Ends what depended on rights that are gone: leases, claims, presenters, fetches and write sessions, whose
    /// content is kept (I3).
    ///
    /// - Returns: the number of leases that ended, which is the number of read descriptors that may still be open.
    package func ended(_ gone: [Grant]) async -> Int {
        guard !gone.isEmpty else { return 0 }
        let leases = changes.revoked(gone) { access.lastGround($0, $1, .read) != nil }
        access.endWaits(gone)
        await writes.rightsEnded(Set(gone.map(\.principal)), in: changes.living)
        return leases
    }

    // MARK: Pages and texts

    private func page(_ filter: GrantFilter, _ page: String?) async throws -> (grants: [Grant], next: String?) {
        var after: Int64?
        if let page {
            guard let number = Int64(page), number >= 0 else {
                throw Failure(.invalidArgument, "There is no such page.", suggestion: "Begin with the first one.")
            }
            after = number
        }
        let found = try await access.grants.page(filter, after: after, limit: Self.pageSize)
        return (found.grants, found.next.map(String.init))
    }

    private static func texts(_ grant: Grant) -> [String]? {
        grant.companions.isEmpty ? nil : grant.companions.map(\.text)
    }

    /// Converts a right for the wire.
    ///
    /// - Parameters:
    ///   - name: the document's name, if known.
    ///   - used: when the right last allowed an access.
    package static func wire(_ grant: Grant, name: String?, used: Date? = nil) -> Wire.Grant {
        Wire.Grant(
            clientKind: grant.principal.kind.rawValue, client: grant.principal.identifier,
            provider: grant.item.provider, domain: grant.item.domain, identifier: grant.item.identifier,
            access: grant.access.rawValue, origin: grant.origin.rawValue, created: grant.created.timeIntervalSince1970,
            name: name, id: Int(grant.id), strength: grant.principal.strength.rawValue, executable: grant.executable,
            expires: grant.expires?.timeIntervalSince1970, used: used?.timeIntervalSince1970,
            isPersistent: grant.isPersistent, isFolder: grant.isFolder, companions: texts(grant))
    }
}
