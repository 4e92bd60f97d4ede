import DocentInterfaces
import FoundationEssentials
import HostCore
import HostServices
import Saving
import Transfers
import Varlink

/// `org.docent.Documents.Download` on the wire: progress replies, then the item.
enum DownloadHarness {
    private typealias Interface = DocumentsInterface.Download

    static func add(
        to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService, writes: WriteService
    ) {
        table.stream(Interface.shortName, requiresMore: false, Interface.Parameters.self) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let key = documents.key(parameters.reference)
            let (updates, continuation) = AsyncStream.makeStream(
                of: TransferSnapshot.self, bufferingPolicy: .bufferingNewest(1))
            let wantsMore = call.wantsMore
            // Progress that is not read in time is dropped; it never delays the transfer.
            let teller = Task {
                for await update in updates where wantsMore {
                    try await sink.send(Reply(Self.reply(update)))
                }
            }
            defer { teller.cancel() }
            let item = try await writes.cancellable(parameters.operation, session) {
                defer { continuation.finish() }
                return try await documents.download(session, key) { continuation.yield($0) }
            }
            // The final reply must come after all replies of the stream.
            _ = await teller.result
            let size = item.size ?? 0
            return Reply(Interface.Reply(completedBytes: size, totalBytes: size, item: item))
        }
    }

    private static func reply(_ update: TransferSnapshot) -> Interface.Reply {
        Interface.Reply(
            completedBytes: Int(update.completed), totalBytes: update.total.map(Int.init),
            bytesPerSecond: update.bytesPerSecond)
    }
}
