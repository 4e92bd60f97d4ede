import DocentInterfaces
package import HostCore
package import HostServices
package import Saving
import Varlink

/// The trash and the last change on the wire, in the administration: refused to a confined client (I1).
package struct TrashHarness: Sendable {
    private typealias Interface = AdministrationInterface

    private let sessions: SessionRegistry
    private let trash: TrashService
    private let writes: WriteService

    package init(sessions: SessionRegistry, trash: TrashService, writes: WriteService) {
        self.sessions = sessions
        self.trash = trash
        self.writes = writes
    }

    /// Adds the methods to the table of the interface.
    func add(to table: inout MethodTable) {
        table.call(Interface.ListTrash.self) { [trash] parameters, _ in
            let listed = try await trash.list(
                provider: parameters.provider, domain: parameters.domain, page: parameters.page)
            return Reply(.init(items: listed.items, nextPage: listed.nextPage))
        }
        table.call(Interface.RestoreTrashed.self, changesState: true) { [sessions, trash, writes] parameters, call in
            let session = try sessions.session(call.connection)
            let item = try await writes.cancellable(parameters.operation, session) {
                try await trash.restore(
                    session, parameters.identifier, provider: parameters.provider, domain: parameters.domain,
                    to: parameters.folder, name: parameters.name, operation: parameters.operation)
            }
            return Reply(.init(item: item))
        }
        table.call(Interface.DeleteTrashed.self, changesState: true) { [trash] parameters, _ in
            try await trash.delete(
                parameters.identifier, provider: parameters.provider, domain: parameters.domain)
            return Reply(.init())
        }
        table.call(Interface.DeletionRules.self) { [trash] _, _ in
            let found = trash.rules()
            return Reply(.init(rules: found.rules, isFixed: found.isFixed ? true : nil))
        }
        table.call(Interface.SetDeletionRule.self, changesState: true) { [trash] parameters, _ in
            let rules = try await trash.setRule(
                provider: parameters.provider, domain: parameters.domain, seconds: parameters.seconds)
            return Reply(.init(rules: rules))
        }
        table.call(Interface.LastChange.self) { [trash] _, _ in
            return Reply(.init(change: try await trash.lastChange()))
        }
        table.call(Interface.Undo.self, changesState: true) { [sessions, trash] parameters, call in
            let session = try sessions.session(call.connection)
            let undone = try await trash.undo(session, parameters.identifier)
            return Reply(.init(change: undone.change, item: undone.item))
        }
        table.call(Interface.Changes.self) { [trash] parameters, _ in
            let found = try await trash.changes(
                by: parameters.client, since: parameters.since, page: parameters.page)
            return Reply(.init(changes: found.changes, nextPage: found.nextPage))
        }
        table.call(Interface.TakeBack.self, changesState: true) { [sessions, trash] parameters, call in
            let session = try sessions.session(call.connection)
            let undone = try await trash.takeBack(session, parameters.identifier)
            return Reply(.init(change: undone.change, item: undone.item))
        }
    }
}
