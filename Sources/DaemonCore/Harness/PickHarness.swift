import DocentInterfaces
package import HostCore
package import HostServices
import Rights
package import Saving
import Storage
package import Varlink

/// Requests for a choice by the user, on the wire: `Documents.RequestPick`, and `Administration.PickRequests` and
/// `AnswerPick`, which are refused to a confined client (I1).
package struct PickHarness: Sendable {
    private let broker: PickBroker
    private let performer: PickPerformer
    private let writes: WriteService

    package init(broker: PickBroker, picker: PickerService, writes: WriteService) {
        self.broker = broker
        performer = PickPerformer(picker: picker, writes: writes)
        self.writes = writes
    }

    /// Adds `RequestPick`.
    package func add(toDocuments table: inout MethodTable, _ sessions: SessionRegistry) {
        typealias Interface = DocumentsInterface.RequestPick
        let (broker, performer, writes) = (broker, performer, writes)
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let question = try PickQuestion(parameters)
            var source: OpenDescriptor?
            var size: Int?
            if let index = parameters.source {
                let given = OpenDescriptor(owning: try call.descriptor(index).release())
                size = Int(clamping: try ForeignDescriptor.check(given.number, access: .readOnly).size)
                source = given
            }
            let (given, wantsMore) = (source, call.wantsMore)
            let outcome = try await broker.ask(session, question, size: size) {
                if wantsMore { try await sink.send(Reply(Interface.Reply(state: "asked"))) }
            } wait: { body in
                try await writes.cancellable(question.operation, session, body)
            } perform: { answer, number in
                try await performer.perform(session, question, answer, source: given, number: number)
            }
            return try Self.reply(outcome)
        }
    }

    private static func reply(_ outcome: PickOutcome) throws -> Reply<DocumentsInterface.RequestPick.Reply> {
        Reply(
            .init(
                state: "answered", item: outcome.item, access: outcome.access?.rawValue,
                file: outcome.file == nil ? nil : 0, operation: outcome.operation),
            descriptors: try outcome.file.map { try DescriptorList($0) } ?? DescriptorList())
    }

    /// Adds `PickRequests` and `AnswerPick`.
    func add(toAdministration table: inout MethodTable) {
        typealias Interface = AdministrationInterface
        let broker = broker
        table.stream(
            Interface.PickRequests.shortName, requiresMore: false, Interface.PickRequests.Parameters.self
        ) { parameters, call, sink in
            let (client, kind) = (parameters.client, parameters.clientKind)
            guard call.wantsMore else {
                return Reply(
                    Interface.PickRequests.Reply(requests: await broker.requests(client: client, kind: kind)))
            }
            for await requests in await broker.listen(client: client, kind: kind) {
                try await sink.send(Reply(Interface.PickRequests.Reply(requests: requests)))
            }
            throw CancellationError()
        }
        table.call(Interface.AnswerPick.self, changesState: true) { parameters, call in
            try await broker.answer(parameters)
            return Reply(.init())
        }
    }
}
