import DocentInterfaces
import HostCore
import HostServices
import Varlink

/// `org.docent.Documents.Watch` on the wire: the transfers of a document or folder, once or as they change.
enum WatchHarness {
    private typealias Interface = DocumentsInterface.Watch

    static func add(to table: inout MethodTable, sessions: SessionRegistry, watch: TransferWatch) {
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            guard call.wantsMore else { return Reply(try await watch.look(session, parameters.reference)) }
            try await watch.follow(session, parameters.reference) { try await sink.send(Reply($0)) }
            throw Failure(.cancelled, "The call has ended.")
        }
    }
}
