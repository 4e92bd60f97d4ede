import DocentInterfaces
import Glibc
import Testing
import Varlink

@testable import Documents

/// Documents that are fetched before they can be read.
@Suite struct DownloadTests {
    private typealias Interface = DocumentsInterface

    private static func daemon(isDownloaded: Bool) throws -> FakeDaemon {
        try FakeDaemon { table, daemon in
            table.call(Interface.Info.shortName, Interface.Info.Parameters.self) { [unowned daemon] _, _ in
                daemon.note("info")
                return Reply(Interface.Info.Reply(item: FakeDaemon.item(isDownloaded: isDownloaded)))
            }
            table.stream(Interface.Download.shortName, Interface.Download.Parameters.self) {
                [unowned daemon] _, _, sink in
                daemon.note("download")
                for bytes in [1, 3] {
                    try await sink.send(
                        Reply(Interface.Download.Reply(completedBytes: bytes, totalBytes: 5, bytesPerSecond: 2)))
                }
                return Reply(Interface.Download.Reply(completedBytes: 5, totalBytes: 5, item: FakeDaemon.item()))
            }
            table.call(Interface.Open.shortName, Interface.Open.Parameters.self) { [unowned daemon] _, _ in
                daemon.note("open")
                return Reply(
                    Interface.Open.Reply(item: FakeDaemon.item(), file: 0),
                    descriptors: DescriptorList(try FakeDaemon.file("hello")))
            }
        }
    }

    private static func content(_ descriptor: CInt) -> String {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    @Test("opening a remote document reports the download's progress, then opens it")
    func remote() async throws {
        let daemon = try Self.daemon(isDownloaded: false)
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference))
        var told: [DownloadProgress] = []
        let descriptor = try await document.openForReading { told.append($0) }
        #expect(Self.content(descriptor) == "hello")
        #expect(told.map(\.completedBytes) == [1, 3, 5])
        #expect(told.first == DownloadProgress(completedBytes: 1, totalBytes: 5, bytesPerSecond: 2))
        #expect(daemon.log == ["info", "download", "open"])
    }

    @Test("opening a document with a local copy reports no progress")
    func local() async throws {
        let daemon = try Self.daemon(isDownloaded: true)
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference))
        let descriptor = try await document.openForReading { _ in Issue.record("There is no progress to report.") }
        #expect(Self.content(descriptor) == "hello")
        #expect(daemon.log == ["info", "open"])
    }

    @Test("T3: cancelling the task that waits for a download closes its connection, and throws `cancelled`")
    func cancelled() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.stream(Interface.Download.shortName, Interface.Download.Parameters.self) {
                [unowned daemon] _, _, sink in
                try await sink.send(Reply(Interface.Download.Reply(completedBytes: 1)))
                daemon.note("waiting")
                do {
                    try await Task.sleep(for: .seconds(600))
                } catch {
                    daemon.note("hung up")
                    throw error
                }
                return Reply(Interface.Download.Reply(completedBytes: 1))
            }
        }
        let client = daemon.client()
        let task = Task { try await client.document(DocumentReference(FakeDaemon.reference)).download() }
        #expect(await eventually { daemon.log == ["waiting"] })
        task.cancel()
        let error = await #expect(throws: DocumentsError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(await eventually { daemon.log == ["waiting", "hung up"] })
    }

    @Test("T3: cancelling the task ends the wait for an open that never returns")
    func cancelledOpen() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Interface.Open.shortName, Interface.Open.Parameters.self) { [unowned daemon] _, _ in
                daemon.note("waiting")
                try await Task.sleep(for: .seconds(600))
                return Reply(Interface.Open.Reply(item: FakeDaemon.item(), file: 0))
            }
        }
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference))
        let task = Task { try await document.openForReading() }
        #expect(await eventually { daemon.log == ["waiting"] })
        task.cancel()
        let error = await #expect(throws: DocumentsError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("D3: a download and a read continue with the next daemon when theirs dies")
    func anotherDaemon() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.stream(Interface.Download.shortName, Interface.Download.Parameters.self) {
                [unowned daemon] parameters, _, _ in
                daemon.note(parameters.operation)
                if daemon.life == 1 { try daemon.die() }
                return Reply(Interface.Download.Reply(completedBytes: 5, item: FakeDaemon.item()))
            }
            table.call(Interface.Open.shortName, Interface.Open.Parameters.self) { [unowned daemon] _, _ in
                if daemon.life == 2 { try daemon.die() }
                return Reply(
                    Interface.Open.Reply(item: FakeDaemon.item(), file: 0),
                    descriptors: DescriptorList(try FakeDaemon.file("hello")))
            }
        }
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference))
        #expect(try await document.download().isDownloaded)
        #expect(daemon.life == 2 && daemon.log.count == 2 && Set(daemon.log).count == 1)
        #expect(Self.content(try await document.openForReading()) == "hello")
        #expect(daemon.life == 3)
    }

    @Test("G2: the daemon is notified once, when the last of a client's objects for a document is gone")
    func stopAccessing() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Interface.Open.shortName, Interface.Open.Parameters.self) { _, _ in
                Reply(
                    Interface.Open.Reply(item: FakeDaemon.item(), file: 0),
                    descriptors: DescriptorList(try FakeDaemon.file("hello")))
            }
            table.call(Interface.StopAccessing.shortName, Interface.StopAccessing.Parameters.self) {
                [unowned daemon] parameters, _ in
                daemon.note("stop \(parameters.reference.identifier)")
                return Reply(Interface.StopAccessing.Reply())
            }
            table.call(Interface.Info.shortName, Interface.Info.Parameters.self) { [unowned daemon] _, _ in
                daemon.note("info")
                return Reply(Interface.Info.Reply(item: FakeDaemon.item()))
            }
        }
        let client = daemon.client()
        let reference = DocumentReference(FakeDaemon.reference)
        let first = client.document(reference)
        close(try await first.openForReading())
        do {
            let second = client.document(reference)
            close(try await second.openForReading())
            second.stopAccessing()
            second.stopAccessing()
            // An object that was never opened uses nothing.
            client.document(reference).stopAccessing()
        }
        _ = try await first.item()
        #expect(daemon.log == ["info"])
        first.stopAccessing()
        #expect(await eventually { daemon.log == ["info", "stop id-1"] })
        do {
            let third = client.document(reference)
            close(try await third.openForReading())
        }
        #expect(await eventually { daemon.log == ["info", "stop id-1", "stop id-1"] })
    }
}
