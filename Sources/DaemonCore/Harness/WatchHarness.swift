import DocentInterfaces
import HostCore
import HostServices
import Varlink

/// The methods that need no content of an item: its values, and its transfers, once or as they change.
enum WatchHarness {
    private typealias Interface = DocumentsInterface.Watch

    static func add(
        to table: inout MethodTable, sessions: SessionRegistry, watch: TransferWatch, values: PromisedValues
    ) {
        table.call(DocumentsInterface.Values.self) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(.init(values: try await values.values(session, parameters.references)))
        }
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            guard call.wantsMore else { return Reply(try await watch.look(session, parameters.reference)) }
            try await watch.follow(session, parameters.reference) { try await sink.send(Reply($0)) }
            throw Failure(.cancelled, "The call has ended.")
        }
    }
}
