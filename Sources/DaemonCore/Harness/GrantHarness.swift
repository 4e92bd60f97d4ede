import DocentInterfaces
package import HostCore
package import HostServices
import Rights
package import Varlink

/// Rights on the wire: those of the calling client, and, for the user, those of all clients.
package struct GrantHarness: Sendable {
    private let sessions: SessionRegistry
    private let grants: GrantService
    private let documents: DocumentService

    package init(sessions: SessionRegistry, grants: GrantService, documents: DocumentService) {
        self.sessions = sessions
        self.grants = grants
        self.documents = documents
    }

    /// Adds `Granted`, `TakeAccess` and `NarrowAccess`, for every client.
    package func add(toDocuments table: inout MethodTable) {
        typealias Interface = DocumentsInterface
        let (sessions, grants, documents) = (sessions, grants, documents)
        table.call(Interface.Granted.self) { parameters, call in
            let page = try await grants.granted(try sessions.session(call.connection), page: parameters.page)
            return Reply(.init(items: page.items, nextPage: page.nextPage))
        }
        table.call(Interface.TakeAccess.self, changesState: true) { parameters, call in
            try await grants.take(try sessions.session(call.connection), documents.key(parameters.reference))
            return Reply(.init())
        }
        table.call(Interface.NarrowAccess.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            try await grants.narrow(session, documents.key(parameters.reference), to: parameters.access)
            return Reply(.init())
        }
    }

    /// Adds `ListGrants`, `Revoke` and `AddGrant`, refused to a confined client (I1).
    package func add(toAdministration table: inout MethodTable) {
        typealias Interface = AdministrationInterface
        let grants = grants
        table.call(Interface.ListGrants.self) { parameters, call in
            let filter = try await grants.filter(
                client: parameters.client, kind: parameters.clientKind, provider: parameters.provider,
                location: parameters.location, olderThan: parameters.olderThan, id: nil)
            let page = try await grants.list(filter, page: parameters.page)
            return Reply(.init(grants: page.grants, nextPage: page.nextPage))
        }
        table.call(Interface.Revoke.self, changesState: true) { parameters, call in
            let filter = try await grants.filter(
                client: parameters.client, kind: parameters.clientKind, provider: parameters.provider,
                location: parameters.location, olderThan: parameters.olderThan, id: parameters.id)
            let result = try await grants.revoke(filter)
            return Reply(.init(revoked: result.revoked, openDescriptors: result.openDescriptors))
        }
        table.call(Interface.AddGrant.self, changesState: true) { parameters, call in
            let principal = Principal(
                kind: try GrantTerms.kind(parameters.clientKind), identifier: parameters.client)
            let offer = try GrantTerms.offer(
                parameters.access, .administration, persist: parameters.persist ?? true, expires: parameters.expires,
                companions: parameters.companions)
            let added = try await grants.add(principal, parameters.location, offer)
            return Reply(.init(grant: GrantService.wire(added.grant, name: added.item.name), item: added.item))
        }
    }
}
