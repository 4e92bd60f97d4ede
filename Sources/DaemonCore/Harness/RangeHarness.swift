import DocentInterfaces
import HostCore
import HostServices
import Storage
import Varlink

/// `org.docent.Documents.FetchRange` and `CloseReading` on the wire.
enum RangeHarness {
    private typealias Interface = DocumentsInterface.FetchRange

    static func add(to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService) {
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let range = try range(parameters)
            let wantsMore = call.wantsMore
            let teller = Task {
                while wantsMore {
                    try await Task.sleep(for: .milliseconds(200))
                    guard let count = documents.progress(session, parameters.reading, range) else { return }
                    try await sink.send(Reply(Interface.Reply(completedBytes: Int(count))))
                }
            }
            defer { teller.cancel() }
            let fetched = try await documents.fetchRange(session, parameters.reading, range)
            // The final reply must come after all replies of the stream.
            teller.cancel()
            _ = await teller.result
            let descriptors = DescriptorList()
            if let file = fetched.file?.take() { descriptors.append(OwnedDescriptor(file)) }
            return Reply(
                Interface.Reply(
                    completedBytes: Int(fetched.count), file: fetched.file == nil ? nil : 0,
                    isComplete: fetched.isComplete ? true : nil),
                descriptors: descriptors)
        }
        table.call(DocumentsInterface.CloseReading.self, changesState: true) { parameters, call in
            await documents.closeReading(try sessions.session(call.connection), parameters.reading)
            return Reply(.init())
        }
    }

    private static func range(_ parameters: Interface.Parameters) throws -> Range<Int64> {
        let (end, isTooLarge) = parameters.offset.addingReportingOverflow(parameters.length)
        guard parameters.offset >= 0, parameters.length >= 0, !isTooLarge else {
            throw Failure(.invalidArgument, "There are no such bytes.")
        }
        return Int64(parameters.offset)..<Int64(end)
    }
}
