import DocentInterfaces
import HostCore
package import HostServices
import Varlink

/// Actions of providers on the wire, in the administration: refused to a confined client (I1).
package struct ActionHarness: Sendable {
    private let actions: ActionService

    package init(actions: ActionService) { self.actions = actions }

    /// Adds the method to the table of the interface.
    func add(to table: inout MethodTable) {
        table.call(AdministrationInterface.PerformAction.self, changesState: true) { [actions] parameters, _ in
            let rows = try await actions.perform(
                parameters.action, provider: parameters.provider, domain: parameters.domain,
                arguments: parameters.arguments)
            return Reply(.init(rows: rows.map(Wire.ActionRow.init(values:))))
        }
    }
}
