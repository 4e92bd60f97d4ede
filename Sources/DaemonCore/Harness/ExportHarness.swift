import DocentInterfaces
import ExtensionHosting
import HostCore
import HostServices
import Storage
import Varlink

/// `PickExport` and `PickMove` of `org.docent.Picker` on the wire: progress replies, then the item.
enum ExportHarness {
    private typealias Interface = PickerInterface

    /// Adds the methods to the table of the interface.
    static func add(to table: inout MethodTable, sessions: SessionRegistry, picker: PickerService) {
        table.stream(
            Interface.PickExport.shortName, requiresMore: false, Interface.PickExport.Parameters.self
        ) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let original = try original(call, parameters.source, parameters.name, parameters.contentType)
            let item = try await sink.following(call) {
                Interface.PickExport.Reply(
                    stage: $0.stage.rawValue, completedBytes: Int($0.completed), totalBytes: $0.total.map(Int.init),
                    bytesPerSecond: $0.bytesPerSecond)
            } _: { progress in
                try await picker.pickExport(
                    session, parameters.folder, original, operation: parameters.operation, progress: progress)
            }
            return Reply(Interface.PickExport.Reply(item: item))
        }
        table.stream(
            Interface.PickMove.shortName, requiresMore: false, Interface.PickMove.Parameters.self
        ) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let original = try original(call, parameters.source, parameters.name, parameters.contentType)
            let moved = try await sink.following(call) {
                Interface.PickMove.Reply(
                    stage: $0.stage.rawValue, completedBytes: Int($0.completed), totalBytes: $0.total.map(Int.init),
                    bytesPerSecond: $0.bytesPerSecond)
            } _: { progress in
                try await picker.pickMove(
                    session, parameters.folder, original, operation: parameters.operation, progress: progress)
            }
            return Reply(
                Interface.PickMove.Reply(
                    item: moved.item, device: Int(moved.source.identity.device),
                    inode: Int(moved.source.identity.inode), size: Int(moved.source.size),
                    modificationNanoseconds: Int(moved.source.modified)))
        }
    }

    private static func original(
        _ call: IncomingCall, _ index: Int, _ name: String, _ contentType: String?
    ) throws -> PickerDriver.Original {
        PickerDriver.Original(
            descriptor: OpenDescriptor(owning: try call.descriptor(index).release()), name: name,
            contentType: contentType)
    }
}

extension ReplySink {
    /// Runs a body and sends its progress as replies, if the caller wants more than one. All of them are sent before
    /// this returns, so the caller sends the final reply. Progress that is not read in time is dropped and never delays
    /// the body.
    func following<Result: Sendable>(
        _ call: IncomingCall, _ reply: @escaping @Sendable (PublishProgress.Report) -> Value,
        _ body: (PublishProgress) async throws -> Result
    ) async throws -> Result {
        guard call.wantsMore else { return try await body(.unheard) }
        // Enough that the beginning and the end of a stage are both reported, even if the next stage follows at once.
        let (reports, continuation) = AsyncStream.makeStream(
            of: PublishProgress.Report.self, bufferingPolicy: .bufferingNewest(8))
        let teller = Task {
            for await report in reports { try await send(Reply(reply(report))) }
        }
        defer { teller.cancel() }
        let result = try await body(PublishProgress { continuation.yield($0) })
        continuation.finish()
        _ = await teller.result
        return result
    }
}
