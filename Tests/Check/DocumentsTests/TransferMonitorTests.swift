import DocentInterfaces
import Testing
import Varlink

@testable import Documents

/// What is in transit, as values of the SDK (N6), on a daemon that the test plays.
@Suite struct TransferMonitorTests {
    private typealias Watch = DocumentsInterface.Watch

    private static let reference = Wire.ItemReference(provider: "p", domain: "", identifier: "1")

    private static func transfer(_ state: String, name: String = "a.txt", message: String? = nil)
        -> Wire.DocumentTransfer
    {
        .init(
            reference: reference, name: name, kind: "download", state: state, completedBytes: 5, totalBytes: 10,
            message: message)
    }

    private static func item(isDownloaded: Bool, isStale: Bool? = nil, isFolder: Bool = false) -> Wire.Item {
        Wire.Item(
            reference: reference, name: "a.txt", contentType: "public.data", isFolder: isFolder,
            isDownloaded: isDownloaded, isUploaded: true, isStale: isStale)
    }

    @Test("N6: how much of a document is here is one of three states")
    func downloadingStatus() {
        #expect(DocumentItem(Self.item(isDownloaded: false)).downloadingStatus == .notDownloaded)
        #expect(DocumentItem(Self.item(isDownloaded: true, isStale: true)).downloadingStatus == .downloaded)
        #expect(DocumentItem(Self.item(isDownloaded: true)).downloadingStatus == .current)
    }

    @Test("N6: a status counts what has ended, keeps the last failures, and knows the part that has arrived")
    func status() {
        var status = TransferStatus()
        #expect(!status.isIdle && status.fraction == nil && status.downloadingStatus == nil)
        status.take(
            .init(
                item: Self.item(isDownloaded: false), transfers: [Self.transfer("running")], running: 1, waiting: 0,
                failed: 0, completedBytes: 5, totalBytes: 10, bytesPerSecond: 2))
        #expect(status.fraction == 0.5 && !status.isIdle && status.downloadingStatus == .notDownloaded)
        #expect(status.bytesPerSecond == 2 && status.transfers.map(\.state) == [.running])
        let failed = (0..<TransferStatus.mostFailures + 5).map { number in
            Self.transfer("failed", name: "\(number)", message: "No.")
        }
        status.take(
            .init(
                transfers: [], ended: [Self.transfer("finished"), Self.transfer("cancelled")] + failed, running: 0,
                waiting: 0, failed: 0, completedBytes: 0))
        #expect(status.isIdle && status.fraction == nil && status.finishedCount == 1)
        #expect(status.failedCount == failed.count && status.failures.count == TransferStatus.mostFailures)
        #expect(status.failures.last?.name == "\(failed.count - 1)" && status.message == "No.")
        status.take(
            .init(
                item: Self.item(isDownloaded: true, isFolder: true), transfers: [], running: 0, waiting: 1, failed: 0,
                completedBytes: 0, totalBytes: 0, isCut: true))
        #expect(status.fraction == 0 && status.ended.isEmpty && status.isCut && status.downloadingStatus == nil)
        #expect(status.failedCount == failed.count)
    }

    @Test("N6: a monitor follows, begins again when the daemon has died, and keeps its counts")
    func follows() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.stream(Watch.shortName, Watch.Parameters.self) {
                [unowned daemon] (parameters, _, sink: ReplySink<Watch.Reply>) in
                daemon.note(parameters.reference.identifier)
                try await sink.send(
                    Reply(
                        .init(
                            item: Self.item(isDownloaded: false), transfers: [Self.transfer("running")],
                            ended: [Self.transfer("finished")], running: 1, waiting: 0, failed: 0, completedBytes: 5)))
                if daemon.life == 1 { try daemon.die() }
                try await Task.sleep(for: .seconds(3600))
                throw Failure(.cancelled, "")
            }
        }
        let monitor = daemon.client().document(DocumentReference(Self.reference)).transferMonitor()
        monitor.start()
        monitor.start()
        for await status in monitor.updates where status.finishedCount == 2 { break }
        #expect(monitor.status.running == 1 && monitor.failure == nil)
        monitor.stop()
        #expect(daemon.log == ["1", "1"])
    }

    @Test("N6: a monitor whose document may not be read ends, and says why")
    func refused() async throws {
        let daemon = try FakeDaemon { table, _ in
            table.stream(Watch.shortName, Watch.Parameters.self) { (_, _, _: ReplySink<Watch.Reply>) in
                throw Failure(.notPermitted, "There is no right to it.")
            }
        }
        let monitor = TransferMonitor(client: daemon.client(), reference: DocumentReference(Self.reference))
        monitor.start()
        for await _ in monitor.updates {}
        #expect(monitor.failure?.code == .notPermitted)
    }
}
