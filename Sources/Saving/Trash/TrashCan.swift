package import DocentInterfaces
import ExtensionHosting
package import FoundationEssentials
package import HostCore
import Records
package import RemoteDocuments
package import Rights
import Varlink

/// The trash of each domain whose provider has one. What a provider says about it is checked like a listing. The caller
/// has checked that the client may use it: a right to a document says nothing about the trash.
package struct TrashCan: Sendable {
    /// The longest identifier of something in the trash, in bytes.
    private static let longestIdentifier = 4_096

    let gateway: DocumentGateway
    let parts: RemoteParts
    let catalog: RemoteCatalog

    /// Uses the host's services.
    package init(gateway: DocumentGateway, parts: RemoteParts, catalog: RemoteCatalog) {
        self.gateway = gateway
        self.parts = parts
        self.catalog = catalog
    }

    /// Something in the trash.
    package struct Entry: Sendable {
        /// What is known of it.
        package var item: Wire.TrashedItem
        /// When it will be deleted for good, because its provider has no trash; nil for what is in one.
        package var finalDate: Date?
    }

    /// One page of what is in the trash: first what was deleted here and is still at a provider without a trash, then
    /// what the provider has in its own.
    ///
    /// - Throws: ``Failure``: `NotSupported` if what is deleted there is deleted for good at once.
    package func page(of domain: DomainKey, _ page: String?) async throws -> (items: [Entry], nextPage: String?) {
        if let page, page.utf8.count > PageSequence.mostTokenBytes + Self.providers.utf8.count {
            throw Failure(.invalidArgument, "This is not a page of the trash.")
        }
        if let page, page.begins(with: Self.providers) {
            return try await providerPage(of: domain, String(page.dropFirst(Self.providers.utf8.count)))
        }
        let waiting = try await deletions.all(in: domain)
        let first = try page.map { text in try Self.position(after: text, in: waiting) } ?? 0
        let end = min(first + Self.mostEntries, waiting.count)
        let entries = waiting[first..<end].map(Self.entry)
        guard end == waiting.count else { return (entries, String(waiting[end - 1].number)) }
        do {
            let rest = try await providerPage(of: domain, nil)
            return (entries + rest.items, rest.nextPage)
        } catch let failure as Failure where failure.kind == .unsupported {
            guard entries.isEmpty, page == nil else { return (entries, nil) }
            guard try await waits(domain) else { throw failure }
            return ([], nil)
        }
    }

    private static let mostEntries = 200
    // Begins the tokens of the provider's own pages.
    private static let providers = "p"

    // Others may have come or gone since the page before.
    private static func position(after token: String, in waiting: [PendingDeletion]) throws -> Int {
        guard let last = Int64(token) else { throw Failure(.invalidArgument, "This is not a page of the trash.") }
        return waiting.firstIndex { $0.number < last } ?? waiting.count
    }

    // Whether what is deleted there can be taken back for a while.
    private func waits(_ domain: DomainKey) async throws -> Bool {
        guard deletions.periods.seconds(domain) > 0 else { return false }
        return try await gateway.isRemote(domain.provider)
    }

    private static func entry(_ deletion: PendingDeletion) -> Entry {
        let item = Wire.TrashedItem(
            identifier: deletion.trashed, name: deletion.name, path: deletion.path, parent: deletion.parent,
            item: deletion.key.identifier, deletionDate: deletion.created.timeIntervalSince1970,
            size: deletion.size.map(Int.init(clamping:)), isFolder: deletion.isFolder)
        return Entry(item: item, finalDate: deletion.due)
    }

    private var deletions: PendingDeletions { parts.deletions }

    private func providerPage(
        of domain: DomainKey, _ page: String?
    ) async throws -> (items: [Entry], nextPage: String?) {
        let reply = try await call(
            FileProviderInterface.ListTrash.self, .init(domain: domain.domain, page: page), of: domain)
        if let next = reply.nextPage, next.utf8.count > PageSequence.mostTokenBytes || next == page {
            throw Failure(
                .providerFailed, "\(domain.provider) returned a page of its trash that leads nowhere.",
                suggestion: "Report this to its authors.", provider: domain.provider)
        }
        // What its name would hide is not shown: only a deletion of this host has such a name.
        let items = reply.items.compactMap(Self.checked).filter { PendingDeletion.id(trashed: $0.identifier) == nil }
        return (items.map { Entry(item: $0) }, reply.nextPage.map { Self.providers + $0 })
    }

    /// Searches the trash.
    ///
    /// - Returns: the match that was deleted last; nil if there is none.
    package func find(
        in domain: DomainKey, where matches: (Wire.TrashedItem) -> Bool
    ) async throws -> Wire.TrashedItem? {
        // Their provider need not be asked.
        let waiting = try await deletions.all(in: domain).lazy.map(Self.entry)
        if let entry = waiting.first(where: { matches($0.item) }) { return entry.item }
        var found: Wire.TrashedItem?
        var pages = PageSequence(provider: domain.provider, folder: "trash", limits: .inPlace)
        var token: String?
        repeat {
            try Task.checkCancellation()
            let page: (items: [Entry], nextPage: String?)
            do {
                page = try await providerPage(of: domain, token)
            } catch let failure as Failure where failure.kind == .unsupported && token == nil {
                guard try await waits(domain) else { throw failure }
                return nil
            }
            for entry in page.items where matches(entry.item) {
                if (entry.item.deletionDate ?? 0) >= (found?.deletionDate ?? 0) { found = entry.item }
            }
            token = try pages.next(
                page.nextPage.map { String($0.dropFirst(Self.providers.utf8.count)) }, items: page.items.count)
        } while token != nil
        return found
    }

    /// Moves something from the trash to a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder; nil for where it was.
    ///   - name: its name there; nil for what it was called.
    ///   - operation: names the change to the provider, so that it can be repeated.
    /// - Throws: ``Failure``: `Conflict` if the name is taken, `NotFound` if it is not in the trash or its folder is
    ///   gone.
    package func restore(
        _ trashed: String, in domain: DomainKey, to folder: ItemKey?, name: String?, operation: String
    ) async throws -> Wire.Item {
        try Self.requireUsable(trashed)
        let name = try name.map { try ItemPath.name($0) }
        if let id = PendingDeletion.id(trashed: trashed) { return try await takeBack(id, in: domain) }
        try await makeRoom(for: trashed, in: domain, folder, name)
        let said = try await call(
            FileProviderInterface.RestoreItem.self,
            .init(
                domain: domain.domain, trashed: trashed, parent: folder?.identifier, name: name, operation: operation),
            of: domain
        ).item
        let key = ItemKey(provider: domain.provider, domain: domain.domain, identifier: said.identifier)
        if let problem = ItemDescription.problem(said, isChild: true) {
            throw Self.broken(domain, "returned an invalid item: \(problem)")
        }
        guard folder.map({ Optional(said.parent).isSame(as: $0.identifier) }) ?? true,
            name.map({ NameRule.isSame(said.name, $0) }) ?? true
        else { throw Self.broken(domain, "restored something to another place or name than it was asked to") }
        if try await gateway.isRemote(domain.provider) {
            _ = try await catalog.take(said, as: ItemDescription(said, in: said.parent), key, isChild: true)
        }
        parts.changes.contentChanged(key)
        parts.changes.entriesChanged(key.sibling(said.parent))
        return try await gateway.item(key)
    }

    // A deletion that waits is taken back where it was; the caller moves the item from there.
    private func takeBack(_ id: String, in domain: DomainKey) async throws -> Wire.Item {
        try gateway.requireOpen(
            ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier))
        // A repeated call, whose first reply was lost.
        if let key = try await deletions.takenBack(id), DomainKey(key) == domain { return try await gateway.item(key) }
        try await require(id, in: domain)
        let key = try await deletions.restore(id)
        await parts.changes.indexed.settle()
        return try await gateway.item(key)
    }

    private func require(_ id: String, in domain: DomainKey) async throws {
        guard let deletion = try await deletions.deletion(id), DomainKey(deletion.key) == domain else {
            throw Failure(
                .notFound, "This is not in the trash.", suggestion: "`docent trash list` shows what is there.")
        }
    }

    /// What was deleted at the place where something is restored, and is still at the provider, is in its way.
    private func makeRoom(
        for trashed: String, in domain: DomainKey, _ folder: ItemKey?, _ name: String?
    ) async throws {
        guard try await !deletions.all(in: domain).isEmpty else { return }
        guard let item = try await find(in: domain, where: { $0.identifier.isSame(as: trashed) }),
            let parent = folder?.identifier ?? item.parent
        else { return }
        let root = ItemKey(provider: domain.provider, domain: domain.domain, identifier: parent)
        try await deletions.makeRoom(for: name ?? item.name, in: root, isForced: true)
    }

    /// Deletes something in the trash for good.
    package func delete(_ trashed: String, in domain: DomainKey) async throws {
        try Self.requireUsable(trashed)
        if let id = PendingDeletion.id(trashed: trashed) {
            try await require(id, in: domain)
            return try await deletions.finish(id)
        }
        _ = try await call(
            FileProviderInterface.DeleteTrashed.self, .init(domain: domain.domain, trashed: trashed), of: domain)
    }

    // MARK: Providers

    private func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of domain: DomainKey
    ) async throws -> Method.Reply {
        let root = ItemKey(
            provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        try gateway.requireOpen(root)
        if try await gateway.isRemote(domain.provider) {
            try Self.requireTrash(try await parts.access.features(domain.provider), domain)
            return try await parts.access.call(
                method, parameters, provider: domain.provider, domain: domain.domain, isForced: true)
        }
        let (_, connection) = try await gateway.fileProvider(domain.provider)
        try Self.requireTrash(connection.features, domain)
        return try await connection.call(method, parameters).value
    }

    private static func requireTrash(_ features: Set<String>, _ domain: DomainKey) throws(Failure) {
        guard !features.contains("trash") else { return }
        throw Failure(
            .notSupported, "\(domain.provider) has no trash: what is deleted there is deleted for good.",
            provider: domain.provider)
    }

    private static func requireUsable(_ trashed: String) throws(Failure) {
        guard (1...longestIdentifier).contains(trashed.utf8.count), trashed.isStorable else {
            throw Failure(
                .notFound, "This is not in the trash.", suggestion: "`docent trash list` shows what is there.")
        }
    }

    /// An entry that can be shown and used; nil for one that cannot. A place that no item can have is left out.
    static func checked(_ item: Wire.TrashedItem) -> Wire.TrashedItem? {
        guard (1...longestIdentifier).contains(item.identifier.utf8.count), item.identifier.isStorable,
            !item.name.isEmpty, item.name.utf8.count <= 4_096
        else { return nil }
        var checked = item
        checked.path = item.path.flatMap { path in
            guard path.utf8.first == UInt8(ascii: "/"), let names = try? ItemPath(path), !names.names.isEmpty else {
                return nil
            }
            return names.text
        }
        if let size = item.size, size < 0 { checked.size = nil }
        if let date = item.deletionDate, !date.isFinite { checked.deletionDate = nil }
        return checked
    }

    private static func broken(_ domain: DomainKey, _ what: String) -> Failure {
        Failure(
            .providerFailed, "\(domain.provider) \(what).", suggestion: "Report this to its authors.",
            provider: domain.provider)
    }
}
