import DocentInterfaces
package import HostCore
package import HostServices
import Varlink

/// The documents used last and the favourites on the wire.
package struct RecentHarness: Sendable {
    private let sessions: SessionRegistry
    private let recents: RecentService

    package init(sessions: SessionRegistry, recents: RecentService) {
        self.sessions = sessions
        self.recents = recents
    }

    /// Adds the methods for every client.
    func add(toDocuments table: inout MethodTable) {
        typealias Interface = DocumentsInterface
        let (sessions, recents) = (sessions, recents)
        table.call(Interface.Recents.self) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(
                .init(items: try await recents.list(session, client: parameters.client, limit: parameters.limit)))
        }
        table.call(Interface.ForgetRecents.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(
                .init(
                    removed: try await recents.forget(session, parameters.references, client: parameters.client)))
        }
    }

    /// Adds the methods for the user and those who choose for the user: refused to a confined client (I1).
    func add(toPicker table: inout MethodTable) {
        typealias Interface = PickerInterface
        let (sessions, recents) = (sessions, recents)
        table.call(Interface.RememberRecents.self, changesState: true) { parameters, _ in
            return Reply(
                .init(
                    unremembered: try await recents.remember(parameters.isRemembered, client: parameters.client)))
        }
        table.call(Interface.Favourites.self) { _, call in
            return Reply(.init(items: try await recents.favourites(try sessions.session(call.connection))))
        }
        table.call(Interface.SetFavourite.self, changesState: true) { parameters, _ in
            let marked = try await recents.mark(parameters.reference, parameters.isFavourite)
            return Reply(.init(item: marked.item, changed: marked.changed))
        }
    }
}
