package import Access
import DocentInterfaces
import HostCore
package import RemoteDocuments
import Rights
import Varlink

/// `org.docent.Administration.Claims` on the wire.
package struct ClaimsHarness: Sendable {
    private typealias Interface = AdministrationInterface.Claims

    private let coordination: CoordinationService
    private let gateway: DocumentGateway

    package init(coordination: CoordinationService, gateway: DocumentGateway) {
        self.coordination = coordination
        self.gateway = gateway
    }

    /// Adds the method to the table of the interface.
    func add(to table: inout MethodTable) {
        let (coordination, gateway) = (coordination, gateway)
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            var key: ItemKey?
            if let location = parameters.location {
                key = try await gateway.item(
                    at: try ItemPath(location.path), provider: location.provider, domain: location.domain
                ).reference.key
            }
            var shown = coordination.ledger(of: key)
            guard call.wantsMore else { return Reply(shown) }
            try await sink.send(Reply(shown))
            while true {
                try await Task.sleep(for: .milliseconds(250))
                let now = coordination.ledger(of: key)
                guard now != shown else { continue }
                shown = now
                try await sink.send(Reply(shown))
            }
        }
    }
}
