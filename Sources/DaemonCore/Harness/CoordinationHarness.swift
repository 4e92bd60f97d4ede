import Access
import DocentInterfaces
import FoundationEssentials
import HostCore
import HostServices
import Saving
import Varlink

/// The coordination in `org.docent.Documents` on the wire.
enum CoordinationHarness {
    private typealias Interface = DocumentsInterface

    static func add(
        to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService, writes: WriteService,
        coordination: CoordinationService, news: ItemNews
    ) {
        table.held(Interface.Coordinate.shortName) { call in
            try coordination.coordinateAtOnce(
                sessions.session(call.connection), CoordinateCodec.parameters(call.parameters))
        } otherwise: { call, sink in
            let session = try sessions.session(call.connection)
            let parameters = try CoordinateCodec.parameters(call.parameters)
            return try await writes.cancellable(parameters.operation, session) {
                try await coordination.coordinate(session, parameters) { sink.trySend($0) }
            }
        }
        // What the connection held is released before its next call is handled.
        table.immediateRaw(Interface.ReleaseClaim.shortName, changesState: true) { call in
            _ = try sessions.session(call.connection)
            return (Array("{}".utf8), DescriptorList())
        }
        table.call(Interface.DidMove.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            try await coordination.didMove(
                session, claim: parameters.claim, from: documents.key(parameters.reference),
                to: documents.key(parameters.newReference))
            return Reply(.init())
        }
        table.stream(Interface.Present.shortName, Interface.Present.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            try await coordination.present(session, parameters) { try await sink.send(Reply($0)) }
            throw Failure(.cancelled, "The presenter was removed.")
        }
        table.stream(Interface.Observe.shortName, Interface.Observe.Parameters.self) {
            (parameters, call, sink: ReplySink<Interface.Observe.Reply>) in
            let session = try sessions.session(call.connection)
            let listener = news.listen(to: try await documents.observed(session, parameters.reference))
            defer { news.remove(listener) }
            try await sink.send(Reply(Interface.Observe.Reply(changed: [])))
            try await listener.deliver { news in
                // The right may have ended.
                _ = try await documents.observed(session, parameters.reference)
                try await sink.send(Reply(.init(changed: news.changed, resync: news.isAll ? true : nil)))
            }
            throw Failure(.cancelled, "The call has ended.")
        }
        table.immediate(
            Interface.AnswerPresenter.shortName, changesState: true, Interface.AnswerPresenter.Parameters.self
        ) { parameters, call in
            try coordination.answer(
                sessions.session(call.connection), presenter: parameters.presenter, message: parameters.message,
                error: parameters.error)
            return Reply(Interface.AnswerPresenter.Reply())
        }
    }
}
