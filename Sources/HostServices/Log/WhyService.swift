package import Access
package import DocentInterfaces
import Foundation
import HostCore
package import RemoteDocuments
import Rights

/// Explains who may reach an item and how, and who caused its last download (I4).
package struct WhyService: Sendable {
    /// The maximum number of clients and of refusals in an answer.
    private static let (mostClients, mostRefusals) = (200, 5)

    private let access: AccessControl
    private let gateway: DocumentGateway
    private let hierarchy: ItemHierarchy
    private let log: LogService

    package init(access: AccessControl, gateway: DocumentGateway, hierarchy: ItemHierarchy, log: LogService) {
        self.access = access
        self.gateway = gateway
        self.hierarchy = hierarchy
        self.log = log
    }

    /// The answer to `docent why`.
    ///
    /// - Throws: ``Failure`` `NotFound` if there is no item at the location.
    package func why(
        _ location: Wire.Location, client: String?
    ) async throws -> AdministrationInterface.Why.Reply {
        let item = try await gateway.item(
            at: try ItemPath(location.path), provider: location.provider, domain: location.domain)
        let key = item.reference.key
        try? await access.audit.flush()
        let grants = await rights(to: key, client: client)
        let uses = (try? await access.audit.lastUses(of: grants.map(\.id))) ?? [:]
        let sentences = WhySentences(name: item.name)
        var told = sentences.rights(grants.map { reach($0, to: key) }, client: client)
        do {
            try access.requireNoDropBox(key)
        } catch {
            told.append(error.message)
        }
        if client == nil, !(try await gateway.isRemote(key.provider)) {
            told.append(
                "It is in one of your folders: programs outside any sandbox can reach it there without Docent.")
        }
        var refused = GrantFilter(item: key)
        refused.clientIdentifier = client
        for entry in try await access.audit.entries(refused, events: [.refused], limit: Self.mostRefusals) {
            told.append(sentences.refusal(entry))
        }
        let download = try await access.audit.entries(GrantFilter(item: key), events: [.downloaded], limit: 1).first
        if let download { told.append(sentences.download(download)) }
        var lastDownload: Wire.LogEntry?
        if let download { lastDownload = await log.told([download]).first }
        return AdministrationInterface.Why.Reply(
            item: item, grants: grants.map { wire($0, used: uses[$0.id]) },
            lastDownload: lastDownload, sentences: told)
    }

    /// The rights by which clients reach the item: the widest right of each client.
    private func rights(to key: ItemKey, client: String?) async -> [Grant] {
        var found: [Grant] = []
        for principal in access.grants.principals(provider: key.provider, domain: key.domain) {
            if let client, client != principal.identifier { continue }
            var grant = await access.currentGround(principal, key, .readWrite)
            if grant == nil { grant = await access.currentGround(principal, key, .read) }
            if let grant { found.append(grant) }
            if found.count == Self.mostClients { break }
        }
        return found.sorted { $0.id < $1.id }
    }

    private func wire(_ grant: Grant, used: Date?) -> Wire.Grant {
        Wire.Grant(
            clientKind: grant.principal.kind.rawValue, client: grant.principal.identifier,
            provider: grant.item.provider, domain: grant.item.domain, identifier: grant.item.identifier,
            access: grant.access.rawValue, origin: grant.origin.rawValue,
            created: grant.created.timeIntervalSince1970, name: hierarchy.name(grant.item) ?? grant.name,
            id: Int(grant.id),
            strength: grant.principal.strength.rawValue, executable: grant.executable,
            expires: grant.expires?.timeIntervalSince1970, used: used?.timeIntervalSince1970,
            isPersistent: grant.isPersistent, isFolder: grant.isFolder, companions: grant.companions.map(\.text))
    }

    private func reach(_ grant: Grant, to key: ItemKey) -> WhySentences.Reach {
        let way: WhySentences.Way =
            if grant.item == key {
                .item
            } else if grant.isFolder || grant.companions.isEmpty {
                .folder(path(grant.item))
            } else {
                .companion(
                    of: hierarchy.name(grant.item) ?? grant.name ?? grant.item.identifier,
                    patterns: grant.companions.map(\.text))
            }
        return WhySentences.Reach(
            principal: grant.principal, access: grant.access, way: way, origin: grant.origin, created: grant.created,
            expires: grant.expires, isTaken: grant.isPersistent, executable: grant.executable)
    }

    /// The path of a folder, as far as it is known.
    private func path(_ key: ItemKey) -> String {
        if key.identifier == ItemKey.rootIdentifier { return "/" }
        let name = hierarchy.name(key) ?? key.identifier
        guard let place = hierarchy.place(of: key, within: nil) else { return name }
        let above = place.folders.filter { $0.identifier != ItemKey.rootIdentifier }
        return "/" + (above.reversed().map { hierarchy.name($0) ?? "…" } + [name]).joined(separator: "/")
    }
}
