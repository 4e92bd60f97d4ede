package import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
import Records
package import RemoteDocuments
import Rights
package import Saving

/// The trash of each domain, and the changes that can be taken back, for the user.
package struct TrashService: Sendable {
    private let registry: ProviderRegistry
    private let gateway: DocumentGateway
    private let can: TrashCan
    private let undo: UndoService
    private let mover: ItemMover
    private let periods: DeletionPeriods

    /// Uses the host's services.
    package init(
        registry: ProviderRegistry, gateway: DocumentGateway, can: TrashCan, undo: UndoService, mover: ItemMover,
        periods: DeletionPeriods
    ) {
        self.registry = registry
        self.gateway = gateway
        self.mover = mover
        self.periods = periods
        self.can = can
        self.undo = undo
    }

    /// One page of what is in the trash of a domain.
    ///
    /// - Parameter provider: its identifier, or the last component of it.
    /// - Throws: ``Failure``: `NotSupported` if the provider has no trash.
    package func list(
        provider: String, domain: String, page: String?
    ) async throws -> (items: [Wire.TrashEntry], nextPage: String?) {
        let domain = try await self.domain(provider, domain)
        let listed = try await can.page(of: domain, page)
        let items = listed.items.map { entry in
            let item = entry.item
            return Wire.TrashEntry(
                identifier: item.identifier, provider: domain.provider, domain: domain.domain, name: item.name,
                originalPath: item.path, deletionDate: item.deletionDate, size: item.size, isFolder: item.isFolder,
                finalDate: entry.finalDate?.timeIntervalSince1970)
        }
        return (items, listed.nextPage)
    }

    /// Moves something from the trash to a folder of its domain.
    ///
    /// - Parameters:
    ///   - folder: the folder; nil for where it was.
    ///   - name: its name there; nil for what it was called.
    package func restore(
        _ session: Session, _ trashed: String, provider: String, domain: String, to folder: Wire.Location?,
        name: String?,
        operation: String
    ) async throws -> Wire.Item {
        try OperationTable.check(operation)
        let domain = try await self.domain(provider, domain)
        var target: ItemKey?
        if let folder {
            let item = try await gateway.item(
                at: try ItemPath(folder.path), provider: folder.provider, domain: folder.domain)
            guard DomainKey(item.reference.key) == domain else {
                throw Failure(
                    .notSupported, "Something in the trash can only be restored to a folder of its own account.",
                    suggestion: "Restore it there, then use `docent export`.")
            }
            guard item.isFolder else {
                throw Failure(.invalidArgument, "\"\(item.name)\" is not a folder.", suggestion: "Choose a folder.")
            }
            target = item.reference.key
        }
        let item = try await can.restore(trashed, in: domain, to: target, name: name, operation: operation)
        guard PendingDeletion.id(trashed: trashed) != nil else { return item }
        return try await moved(item, to: target, name, operation, session)
    }

    // What its provider still had is where it was; it is moved from there like anything else.
    private func moved(
        _ item: Wire.Item, to folder: ItemKey?, _ name: String?, _ operation: String, _ session: Session
    ) async throws -> Wire.Item {
        let isElsewhere = folder.map { !Optional($0.identifier).isSame(as: item.parent) } ?? false
        guard isElsewhere || name.map({ !NameRule.isSame($0, item.name) }) ?? false else { return item }
        return try await mover.move(
            session, item.reference.key, to: isElsewhere ? folder : nil, name: name, operation: operation)
    }

    /// Deletes something in the trash for good.
    package func delete(_ trashed: String, provider: String, domain: String) async throws {
        try await can.delete(trashed, in: self.domain(provider, domain))
    }

    /// The last change that can be taken back, or what stands in its way; nil if none is recorded.
    package func lastChange() async throws -> Wire.Change? { try await undo.last() }

    /// Takes the last change back.
    package func undo(_ session: Session, _ change: String) async throws -> (change: Wire.Change, item: Wire.Item?) {
        try await undo.undo(session, change)
    }

    /// A page of the changes of a client since a moment, newest first.
    package func changes(
        by client: String, since start: Double, page: String?
    ) async throws -> (changes: [Wire.Change], nextPage: String?) {
        guard (1...256).contains(client.utf8.count), start.isFinite, abs(start) < Self.latest else {
            throw Failure(.invalidArgument, "This is not a client, or not a moment.")
        }
        return try await undo.changes(by: client, since: Date(timeIntervalSince1970: start), page: page)
    }

    /// Takes a change of one client back.
    package func takeBack(
        _ session: Session, _ change: String
    ) async throws -> (change: Wire.Change, item: Wire.Item?) {
        try await undo.takeBack(session, change)
    }

    // MARK: Periods

    /// For how long deletions can be taken back where there is no trash: the rule of all accounts first.
    package func rules() -> (rules: [Wire.DeletionRule], isFixed: Bool) {
        let rules = periods.all().map { rule in
            Wire.DeletionRule(
                provider: rule.account?.provider, domain: rule.account?.domain, seconds: rule.seconds)
        }
        return (rules, periods.isFixed)
    }

    /// Sets or forgets the rule of an account, or of all accounts.
    ///
    /// - Throws: ``Failure``: `InvalidArgument`, `NotFound` for an unknown account, `NotPermitted` if the daemon's
    ///   environment decides.
    package func setRule(provider: String?, domain: String?, seconds: Int?) async throws -> [Wire.DeletionRule] {
        guard (provider == nil) == (domain == nil) else {
            throw Failure(.invalidArgument, "An account has a provider and a domain.")
        }
        var account: DomainKey?
        if let provider, let domain {
            account = try await administered(provider, domain)
        }
        try await periods.set(seconds, of: account)
        return rules().rules
    }

    // The account need not be reachable.
    private func administered(_ name: String, _ domain: String) async throws -> DomainKey {
        let provider = try await registry.provider(name)
        guard domain.isEmpty || provider.domains.contains(where: { $0.identifier == domain }) else {
            throw Failure(
                .notFound, "\(provider.identifier) has no domain \"\(domain)\".",
                suggestion: "`docent domains` lists them.", provider: provider.identifier)
        }
        return DomainKey(provider: provider.identifier, domain: domain)
    }

    // Far in the future, and still a number of milliseconds.
    private static let latest = 1e12

    private func domain(_ provider: String, _ domain: String) async throws -> DomainKey {
        DomainKey(try await gateway.item(at: ItemPath("/"), provider: provider, domain: domain).reference.key)
    }
}
