package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
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

    /// One page of what is in the trash.
    ///
    /// - Throws: ``Failure``: `NotSupported` if the provider has no trash.
    package func page(
        of domain: DomainKey, _ page: String?
    ) async throws -> (items: [Wire.TrashedItem], nextPage: String?) {
        if let page, page.utf8.count > PageSequence.mostTokenBytes {
            throw Failure(.invalidArgument, "This is not a page of the trash.")
        }
        let reply = try await call(
            FileProviderInterface.ListTrash.self, .init(domain: domain.domain, page: page), of: domain)
        if let next = reply.nextPage, next.utf8.count > PageSequence.mostTokenBytes || next == page {
            throw Failure(
                .providerFailed, "\(domain.provider) returned a page of its trash that leads nowhere.",
                suggestion: "Report this to its authors.", provider: domain.provider)
        }
        return (reply.items.compactMap(Self.checked), reply.nextPage)
    }

    /// Searches the trash.
    ///
    /// - Returns: the match that was deleted last; nil if there is none.
    package func find(
        in domain: DomainKey, where matches: (Wire.TrashedItem) -> Bool
    ) async throws -> Wire.TrashedItem? {
        var found: Wire.TrashedItem?
        var pages = PageSequence(provider: domain.provider, folder: "trash", limits: .inPlace)
        var token: String?
        repeat {
            try Task.checkCancellation()
            let page = try await page(of: domain, token)
            for item in page.items where matches(item) {
                if (item.deletionDate ?? 0) >= (found?.deletionDate ?? 0) { found = item }
            }
            token = try pages.next(page.nextPage, items: page.items.count)
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

    /// Deletes something in the trash for good.
    package func delete(_ trashed: String, in domain: DomainKey) async throws {
        try Self.requireUsable(trashed)
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
