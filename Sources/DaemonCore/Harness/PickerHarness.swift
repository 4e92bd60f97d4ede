package import Access
import DocentInterfaces
import FoundationEssentials
package import HostCore
package import HostServices
import RemoteDocuments
import Rights
package import Saving
import Storage
package import Varlink

/// `org.docent.Picker` on the wire. Every method is refused to a confined client (I1).
package enum PickerHarness {
    /// The method table of the interface.
    package static func table(
        sessions: SessionRegistry, picker: PickerService, writes: WriteService, coordination: CoordinationService
    ) -> MethodTable {
        typealias Interface = PickerInterface
        var table = MethodTable(
            interface: Interface.name, description: Interface.description, authority: .unconfined)
        table.call(Interface.ListProviders.self) { parameters, call in
            return Reply(
                .init(
                    providers: try await picker.providers(
                        mode: parameters.mode, types: parameters.types, all: parameters.all == true)))
        }
        table.call(Interface.GetItem.self) { parameters, call in
            let asked = Date.now
            let item = try await picker.item(at: parameters.location, followsLink: parameters.link != true)
            return Reply(.init(item: item, remembered: try await picker.remembered(item, asked: asked)))
        }
        table.call(Interface.ListFolder.self) { parameters, call in
            let page = try await picker.list(parameters.location, page: parameters.page)
            return Reply(.init(items: page.items, nextPage: page.nextPage, remembered: page.remembered))
        }
        table.call(Interface.PickImport.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let copy = try await writes.cancellable(parameters.operation, session) {
                try await picker.pickImport(session, parameters.location, types: parameters.types)
            }
            return Reply(.init(item: copy.item, path: copy.path, file: 0), descriptors: try DescriptorList(copy.file))
        }
        table.call(Interface.PickOpen.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            // A client that names a location makes the choice itself, so it may make the right persistent at any time.
            let offer = try GrantTerms.offer(
                parameters.access, .open, persist: parameters.persist, expires: parameters.expires,
                companions: parameters.companions)
            let opened = try await writes.cancellable(parameters.operation, session) {
                try await picker.pickOpen(session, parameters.location, types: parameters.types, offer: offer)
            }
            if parameters.open == true, let read = try await coordination.readAtOnce(session, opened.item) {
                return Reply(
                    .init(item: read.item, access: opened.access.rawValue, file: 0),
                    descriptors: try DescriptorList(read.file))
            }
            return Reply(.init(item: opened.item, access: opened.access.rawValue))
        }
        ExportHarness.add(to: &table, sessions: sessions, picker: picker)
        MoveHarness.add(toPicker: &table, sessions: sessions, picker: picker, writes: writes)
        return table
    }
}
