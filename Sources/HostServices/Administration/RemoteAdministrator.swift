package import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
import Records
package import RemoteDocuments
import Rights
package import Storage
import Transfers

/// Implements the administration of the local content of remote providers: pins, evictions, refreshes, kept versions.
package struct RemoteAdministrator: RemoteAdministration {
    private let registry: ProviderRegistry
    private let catalog: RemoteCatalog
    private let reader: RemoteReader
    private let evictor: Evictor
    private let poller: ChangePoller
    private let queue: TransferQueue
    private let parts: RemoteParts
    private let versions: VersionService
    private let gateway: DocumentGateway
    private let reading: RemoteReading

    /// Makes an administrator of remote documents.
    package init(
        registry: ProviderRegistry, reading: RemoteReading, parts: RemoteParts, versions: VersionService,
        gateway: DocumentGateway
    ) {
        self.gateway = gateway
        self.reading = reading
        self.registry = registry
        catalog = reading.catalog
        reader = reading.reader
        evictor = reading.evictor
        poller = reading.poller
        queue = parts.queue
        self.parts = parts
        self.versions = versions
    }

    /// - Parameter isForced: also asks an offline account at once.
    private func item(_ location: Wire.Location, isForced: Bool = false) async throws -> RemoteItem {
        let provider = try await registry.usable(location.provider)
        let domain = DomainKey(provider: provider.identifier, domain: location.domain)
        let monitor = catalog.access.monitor
        try monitor.closed.require(domain)
        if isForced { monitor.probeNow { $0 == domain } }
        guard location.domain.isEmpty || provider.domains.contains(where: { $0.identifier == location.domain }) else {
            throw Failure(
                .notFound, "\(provider.identifier) has no domain \"\(location.domain)\".",
                suggestion: "`docent domains` lists them.", provider: provider.identifier)
        }
        guard !(try await catalog.access.features(provider.identifier)).contains("inPlace") else {
            throw Failure(
                .notSupported,
                "The documents of \(provider.identifier) are on this machine; there is nothing to fetch.",
                provider: provider.identifier)
        }
        return try await catalog.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain)
    }

    // MARK: Local copies

    package func pin(location: Wire.Location, pinned: Bool) async throws -> Int {
        let item = try await item(location)
        var documents = [item]
        if item.description.isFolder {
            _ = try await catalog.list(item.key)
            documents = try await parts.index.descendants(of: item.key).filter { !$0.description.isFolder }
        }
        try await parts.index.setPinned(documents.map(\.key), pinned)
        if pinned { for document in documents { await reader.fetch(document, priority: .pinned) } }
        return documents.count
    }

    package func evict(location: Wire.Location) async throws -> (items: Int, bytes: Int64) {
        let item = try await item(location)
        if item.description.isFolder { return try await evictor.evict(below: item.key) }
        let bytes = try await evictor.evict(item.key)
        return (bytes > 0 ? 1 : 0, bytes)
    }

    package func refresh(
        location: Wire.Location, accept: Bool
    ) async throws -> (changed: Int, deleted: Int, held: [String]) {
        let item = try await item(location, isForced: true)
        let result = try await poller.refresh(item.key, accept: accept)
        var held: [String] = []
        for listing in try await parts.index.heldListings(provider: item.key.provider, domain: item.key.domain) {
            held.append(try await catalog.path(of: listing.folder) ?? listing.folder.identifier)
        }
        return (result.changed, result.deleted, held)
    }

    // MARK: Versions

    package func versions(
        location: Wire.Location?, includingSuperseded: Bool, isUnresolved: Bool
    ) async throws -> [Wire.Version] {
        var key: ItemKey?
        if let location {
            key = try await gateway.item(
                at: try ItemPath(location.path), provider: location.provider, domain: location.domain
            ).reference.key
        }
        guard isUnresolved else { return try await versions.list(of: key, includingSuperseded: includingSuperseded) }
        var paths: [ItemKey: String] = [:]
        var result: [Wire.Version] = []
        for version in try await versions.conflicts(of: key) {
            // A provider that does not answer leaves the path out.
            if paths[version.key] == nil { paths[version.key] = try? await gateway.path(of: version.key) }
            result.append(VersionService.wire(version, path: paths[version.key]))
        }
        return result
    }

    package func openVersion(_ identifier: String) async throws -> (version: Wire.Version, file: OpenDescriptor) {
        try await versions.open(identifier)
    }

    package func removeVersion(_ identifier: String) async throws {
        try await versions.remove(identifier)
    }

    // MARK: Domains that are removed

    package func removeContent(of domain: DomainKey) async throws {
        await queue.cancelAll { $0.key.account == domain }
        _ = try await settleUnsent(of: domain, discards: false)
        try await removeFiles(of: domain) {
            try await parts.index.removeDomain(provider: domain.provider, domain: domain.domain)
        }
    }

    package func settleUnsent(of domain: DomainKey, discards: Bool) async throws -> Int {
        var dropped = 0
        for row in try await parts.journal.unsent(provider: domain.provider, domain: domain.domain) {
            guard let key = row.itemKey else { continue }
            try await parts.locks.withLock(on: key) {
                if discards {
                    try await parts.conflicts.drop(row, key)
                } else {
                    try await parts.conflicts.keep(row, key, as: .unsent)
                }
            }
            parts.states.set(nil, of: key)
            dropped += discards ? 1 : 0
        }
        return dropped
    }

    package func removeCopies(of domain: DomainKey) async throws {
        try await removeFiles(of: domain) {
            try await parts.index.forgetContent(provider: domain.provider, domain: domain.domain)
        }
    }

    private func removeFiles(of domain: DomainKey, removingRecords: () async throws -> Void) async throws {
        try await reading.discardPartials(of: domain)
        let copies = try await parts.index.localCopies(provider: domain.provider, domain: domain.domain)
        // Before the files: a placeholder that is about to be written finds no record then.
        try await removingRecords()
        try await parts.places.clear(domain)
        for item in copies { parts.changes.contentChanged(item.key) }
        await poller.forget(domain)
    }
}
