import DocentInterfaces
import HostCore
package import HostServices
import Varlink

/// The methods about held clients and listings, in the administration: refused to a confined client (I1).
package struct HoldHarness: Sendable {
    private typealias Interface = AdministrationInterface

    private let holds: HoldService

    package init(holds: HoldService) { self.holds = holds }

    /// Adds the methods to the table of the interface.
    func add(to table: inout MethodTable) {
        table.call(Interface.Held.self) { [holds] _, _ in Reply(try await holds.list()) }
        table.call(Interface.AllowHeld.self, changesState: true) { [holds] parameters, _ in
            Reply(.init(until: try await holds.allow(parameters)))
        }
        table.call(Interface.SetChangeLimit.self, changesState: true) { [holds] parameters, _ in
            try await holds.setLimit(parameters.limit)
            return Reply(.init())
        }
    }
}
