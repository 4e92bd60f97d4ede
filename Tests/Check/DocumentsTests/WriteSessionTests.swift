import DocentInterfaces
import Glibc
import Testing
import Varlink

@testable import Documents

/// Saving while the daemon dies (D3).
@Suite struct WriteSessionTests {
    private typealias Interface = DocumentsInterface

    @Test("D3: a change is saved although the daemon dies at any step, even more than once", arguments: [1, 2, 3])
    func killed(times: Int) async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Interface.BeginWrite.shortName, Interface.BeginWrite.Parameters.self) {
                [unowned daemon] parameters, _ in
                daemon.note("begin \(parameters.operation)")
                if daemon.life <= times { try daemon.die() }
                return Reply(
                    Interface.BeginWrite.Reply(file: 0, baseVersion: "1"),
                    descriptors: DescriptorList(try FakeDaemon.file("")))
            }
            table.call(Interface.CommitWrite.shortName, Interface.CommitWrite.Parameters.self) {
                [unowned daemon] parameters, _ in
                daemon.note("commit \(parameters.operation)")
                if daemon.life <= 2 * times { try daemon.die() }
                return Reply(Interface.CommitWrite.Reply(item: FakeDaemon.item(uploadState: "queued")))
            }
        }
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference), access: .readWrite)
        let session = try await document.beginWriting(replacing: true)
        #expect(session.descriptor >= 0)
        #expect(try await session.commit().uploadState == .queued)
        let names = Set(daemon.log.compactMap { $0.split(separator: " ").last })
        #expect(names == [Substring(session.operation)])
        #expect(daemon.log.count == 2 * times + 2)
    }

    @Test("D3: the daemon dies between the steps, and its successor commits the same operation")
    func between() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Interface.BeginWrite.shortName, Interface.BeginWrite.Parameters.self) { _, _ in
                Reply(Interface.BeginWrite.Reply(file: 0), descriptors: DescriptorList(try FakeDaemon.file("")))
            }
            table.call(Interface.CommitWrite.shortName, Interface.CommitWrite.Parameters.self) {
                [unowned daemon] parameters, _ in
                daemon.note(parameters.operation)
                return Reply(Interface.CommitWrite.Reply(item: FakeDaemon.item()))
            }
        }
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference), access: .readWrite)
        let session = try await document.beginWriting()
        try daemon.die()
        try await session.commit()
        #expect(daemon.log == [session.operation])
    }

    @Test(
        "T3: a commit whose reply was lost succeeds if its outcome says so, and fails otherwise",
        arguments: [("finished", true), ("committed", true), ("open", false), ("unknown", false)])
    func lostReply(state: String, succeeds: Bool) async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Interface.BeginWrite.shortName, Interface.BeginWrite.Parameters.self) { _, _ in
                Reply(Interface.BeginWrite.Reply(file: 0), descriptors: DescriptorList(try FakeDaemon.file("")))
            }
            table.call(Interface.CommitWrite.shortName, Interface.CommitWrite.Parameters.self) {
                [unowned daemon] _, _ -> Reply<Interface.CommitWrite.Reply> in
                if daemon.life == 1 { try daemon.die() }
                throw Failure(.notFound, "The write session is gone.")
            }
            table.call(Interface.Outcome.shortName, Interface.Outcome.Parameters.self) { _, _ in
                Reply(Interface.Outcome.Reply(state: state, reference: FakeDaemon.reference))
            }
            table.call(Interface.Info.shortName, Interface.Info.Parameters.self) { _, _ in
                Reply(Interface.Info.Reply(item: FakeDaemon.item()))
            }
        }
        let document = daemon.client().document(DocumentReference(FakeDaemon.reference), access: .readWrite)
        let session = try await document.beginWriting()
        if succeeds {
            #expect(try await session.commit().name == "a.txt")
        } else {
            let error = await #expect(throws: DocumentsError.self) { try await session.commit() }
            #expect(error?.code == .notFound)
        }
    }

    @Test(
        "an item has the state of its upload; an unknown state falls back to whether it is uploaded",
        arguments: [
            ("uploaded", true, .uploaded), ("queued", false, .queued), ("uploading", false, .uploading),
            ("failed", false, .failed("No room.")), (nil, true, .uploaded), (nil, false, .queued),
            ("hibernating", false, .queued), ("hibernating", true, .uploaded),
        ] as [(String?, Bool, UploadState)])
    func uploadState(state: String?, isUploaded: Bool, expected: UploadState) {
        var wire = FakeDaemon.item(uploadState: state)
        wire.isUploaded = isUploaded
        wire.uploadError = "No room."
        let item = DocumentItem(wire)
        #expect(item.uploadState == expected)
        #expect(!item.isPinned && !item.isStale && item.conflicts == 0)
    }
}
