import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import Testing

@testable import Rclone

extension RcloneTests {
    struct RecoveryTests {
        private func killed(_ remote: Remote) async throws -> Int {
            let endpoint = try await remote.provider.session.connected().endpoint
            endpoint.process.kill()
            return endpoint.run
        }

        @Test(
            "a killed rclone is started again with its complete configuration",
            arguments: Sample.shared.of([BackEnd.local, .webdav, .crypt]))
        func startsAgain(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("note.txt", "kept")
            let run = try await killed(remote)
            var text: String?
            for _ in 0..<200 where text == nil {
                do {
                    text = try await remote.text(item.identifier)
                } catch let error as FileProviderError where [.serverUnreachable, .busy].contains(error.code) {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(text == "kept")
            #expect(try await remote.provider.session.connected().endpoint.run > run)
        }

        @Test(
            "an upload that the service does not show yet is repeated; a missing folder is reported as missing",
            arguments: [("object not found", FileProviderError.Code.busy), ("directory not found", .noSuchItem)])
        func notShown(_ text: String, _ code: FileProviderError.Code) throws {
            let error = RemoteFailure(status: 500, text: text).providerError(
                cannot: "send \"note.txt\"", hiding: [], names: [])
            #expect(error.code == .noSuchItem)
            #expect(RcloneProvider.uploadFailure(error).code == code)
        }

        @Test("rclone killed during an upload leaves the old document, and the same operation then succeeds")
        func killedUpload() async throws {
            let remote = try await Remote(.webdav)
            let item = try await remote.create("big.bin", "small")
            let bytes = [UInt8](repeating: 5, count: 48 << 20)
            let operation = Remote.operation()
            let contents = try remote.contents(bytes)
            let provider = remote.provider
            let change = Task {
                try await provider.modifyItem(
                    item.identifier, baseVersion: item.version, contents: contents, operation: operation,
                    progress: TransferProgress())
            }
            // Until a part of it exists.
            let place = try #require(RemotePlace(item.identifier))
            let upload = try place.folder.upload(operation)
            let staged = remote.storage + "/own/.org.docent.Rclone/staged/" + upload.filename
            while access(staged, F_OK) != 0 { try await Task.sleep(for: .milliseconds(2)) }
            _ = try await killed(remote)
            let failure = try await code { _ = try await change.value }
            #expect(failure == nil || failure == .serverUnreachable)
            if failure != nil { #expect(try await remote.text(item.identifier) == "small") }
            #expect(access(staged, F_OK) != 0, "nothing is left in the domain's folder")
            let again = try await remote.again().modifyItem(
                item.identifier, baseVersion: item.version, contents: contents, operation: operation,
                progress: TransferProgress())
            #expect(again.item.size == bytes.count)
            #expect(try await difference(remote.read(item.identifier), from: bytes) == nil)
            #expect(try await remote.names() == ["big.bin"])
        }

        @Test("a document removed by an interrupted replacement is restored by the next request")
        func finishesReplacement() async throws {
            let remote = try await Remote(.local)
            let item = try await remote.create("note.txt", "old")
            let operation = Remote.operation()
            let place = try #require(RemotePlace(item.identifier))
            // As after a kill between rclone's two steps: the old one removed, the new one not yet renamed.
            try remote.provider.notes.begin(operation, at: place, .replacement)
            let staged = try place.folder.upload(operation)
            try Data("new".utf8).write(to: URL(filePath: remote.folder + "/" + staged.remote))
            unlink(remote.folder + "/note.txt")
            let provider = try await remote.again()
            #expect(try await provider.item(for: item.identifier).size == 3)
            #expect(try await remote.text(item.identifier) == "new")
            #expect(try await remote.names() == ["note.txt"])
        }

        @Test(
            "law 6: a move interrupted between its two steps is completed by the next process, or when it is repeated",
            arguments: [true, false])
        func finishesMove(byNextProcess: Bool) async throws {
            let remote = try await Remote(.s3)
            let folder = try await remote.makeFolder("new")
            let source = try await remote.create("note.txt", "text")
            let operation = Remote.operation()
            // As after a kill: copied, and not yet removed.
            let copy = try await remote.create("note.txt", "text", in: folder.identifier)
            let target = try #require(RemotePlace(copy.identifier))
            try remote.provider.notes.begin(operation, at: target, .copy(of: source.identifier))
            let provider = byNextProcess ? try await remote.again() : remote.provider
            if byNextProcess {
                #expect(try await code { _ = try await provider.item(for: source.identifier) } == .noSuchItem)
            }
            let moved = try await provider.moveItem(
                source.identifier, baseVersion: source.version, to: folder.identifier, named: "note.txt",
                operation: operation)
            #expect(moved.identifier == copy.identifier)
            #expect(try await provider.children(of: .rootContainer, page: nil).items.map(\.filename) == ["new"])
            #expect(String(decoding: try await remote.read(moved.identifier, from: provider), as: UTF8.self) == "text")
            #expect(provider.notes.interruptedCopies.isEmpty)
        }

        @Test("law 6: a document with other content than the interrupted move's source is not taken for its copy")
        func leavesOthers() async throws {
            let remote = try await Remote(.s3)
            let source = try await remote.create("note.txt", "text")
            let other = try await remote.create("other.txt", "else")
            let target = try #require(RemotePlace(other.identifier))
            try remote.provider.notes.begin(Remote.operation(), at: target, .copy(of: source.identifier))
            let provider = try await remote.again()
            let names = try await provider.children(of: .rootContainer, page: nil).items.map(\.filename)
            #expect(names.sorted() == ["note.txt", "other.txt"])
        }

        @Test("a name that was used often before causes no further requests, not even in the next process")
        func usedNames() async throws {
            let remote = try await Remote(.memory)
            let place = try RemotePlace.root.newChild("scratch.txt")
            let notesFolder = remote.storage + "/own/.org.docent.Rclone/operations"
            for _ in 0..<5 {
                let item = try await remote.create("scratch.txt", "content")
                try await remote.provider.deleteItem(item.identifier, baseVersion: nil, recursive: false)
            }
            let item = try await remote.create("scratch.txt", "old")
            _ = try await remote.modify(item, "new", base: item.version)
            let now = remote.provider.notes
            // Each of these would be looked up whenever the document is missing.
            for notes in [now, BegunOperations(directory: notesFolder)] {
                #expect(notes.replacements(of: place).isEmpty)
            }
            let operation = Remote.operation()
            try now.begin(operation, at: place, .replacement)
            for notes in [now, BegunOperations(directory: notesFolder)] {
                #expect(notes.replacements(of: place).map(\.identifier) == [operation.identifier])
            }
        }

        @Test("a cancelled upload ends and leaves nothing")
        func cancelledUpload() async throws {
            let remote = try await Remote(.webdav)
            let provider = remote.provider
            let contents = try remote.contents([UInt8](repeating: 9, count: 32 << 20))
            let creation = Task {
                try await provider.createItem(
                    basedOn: ItemTemplate(parent: .rootContainer, filename: "big.bin"), contents: contents,
                    operation: Remote.operation(), progress: TransferProgress())
            }
            let folder = remote.storage + "/own/.org.docent.Rclone/staged"
            while PrivateFolder.names(in: folder).isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            creation.cancel()
            let result = await creation.result
            if case .failure(let error) = result {
                #expect(error is CancellationError)
                #expect(try await remote.names() == [])
            }
            #expect(PrivateFolder.names(in: folder).isEmpty)
        }

        @Test("an unreachable server and a missing root are not taken for a deletion")
        func unreachable() async throws {
            let storage = FileManager.default.temporaryDirectory.path + "/rclone-away-" + UUID().uuidString.prefix(8)
            defer { try? FileManager.default.removeItem(atPath: storage) }
            let away = try Remote.make(
                ["remote": ":webdav,url='http://127.0.0.1:9/':", "program": Servers.rclone], storage)
            #expect(try await code { _ = try await away.item(for: ItemIdentifier("/x")) } == .serverUnreachable)
            #expect(try await code { _ = try await away.children(of: .rootContainer, page: nil) } == .serverUnreachable)
            let remote = try await Remote(.local)
            let item = try await remote.create("note.txt", "x")
            rename(remote.folder, remote.folder + "-moved")
            #expect(try await code { _ = try await remote.provider.item(for: item.identifier) } == .serverUnreachable)
            rename(remote.folder + "-moved", remote.folder)
            unlink(remote.folder + "/note.txt")
            #expect(try await code { _ = try await remote.provider.item(for: item.identifier) } == .noSuchItem)
        }

        @Test("a missing rclone is an error that says so")
        func missingProgram() async throws {
            let storage = FileManager.default.temporaryDirectory.path + "/rclone-none-" + UUID().uuidString.prefix(8)
            let provider = try Remote.make(["remote": ":memory:", "program": "/nonexistent/rclone"], storage)
            let error = await #expect(throws: FileProviderError.self) {
                _ = try await provider.children(of: .rootContainer, page: nil)
            }
            #expect(error?.message.contains("/nonexistent/rclone") == true)
        }

        @Test("an rclone that exits, for example because it is too old for the socket, is an error that says so")
        func leavingProgram() async throws {
            let storage = FileManager.default.temporaryDirectory.path + "/rclone-old-" + UUID().uuidString.prefix(8)
            defer { try? FileManager.default.removeItem(atPath: storage) }
            let provider = try Remote.make(["remote": ":memory:", "program": "/bin/false"], storage)
            let error = await #expect(throws: FileProviderError.self) {
                _ = try await provider.children(of: .rootContainer, page: nil)
            }
            #expect(error?.code == .serverUnreachable)
            #expect(error?.message.contains("code 1") == true)
        }

        @Test("rclone dies with its parent, and no other process may send it requests")
        func lifeAndRights() async throws {
            let remote = try await Remote(.memory)
            let endpoint = try await remote.provider.session.connected().endpoint
            let answer = try await Servers.run(
                "/usr/bin/curl",
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "{}",
                    "http://127.0.0.1:\(endpoint.port)/config/dump",
                ])
            #expect(answer == "401")
            let arguments = try String(contentsOfFile: "/proc/\(endpoint.process.identifier)/cmdline", encoding: .utf8)
            #expect(arguments.split(separator: "\0").map(String.init) == [Servers.rclone, "rcd"])
        }
    }
}
