import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The Document class against a real daemon. Each document of these tests has its own client, like a separate program.
@Suite(.needs(.daemon, .server)) @MainActor struct DocumentClassTests {
    private final class Text: Document {
        var text = ""
        var deletions: [String?] = []

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        }

        override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

        override func documentWasDeleted(unsavedContents: DocumentContents?) {
            deletions.append(unsavedContents?.data.map { String(decoding: $0, as: UTF8.self) })
        }

        func edit(_ text: String) {
            self.text = text
            updateChangeCount(.done)
        }
    }

    /// Another program's editor, which saves when it is asked to relinquish the document.
    private final class SavingPresenter: FilePresenter {
        let document: SecurityScopedDocument
        init(_ document: SecurityScopedDocument) { self.document = document }
        var presentedItem: DocumentPlace? { DocumentPlace(document.reference) }

        func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
            try? await FileCoordinator(client: document.client, filePresenter: self).coordinate(
                writingItemAt: document.reference
            ) { access in
                let session = try await access.session(replacing: true)
                let handle = FileHandle(fileDescriptor: session.descriptor, closeOnDealloc: false)
                try handle.write(contentsOf: Data("theirs".utf8))
            }
            return nil
        }
    }

    private static func with(_ body: @MainActor (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "notes.txt")
            try await body(installation)
        }
    }

    private static func pick(
        _ installation: Installation, _ client: DocumentsClient? = nil
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client ?? installation.client()).openDocument(
            at: try DocumentLocation("LocalFolder:/notes.txt"))
    }

    private static func open(_ installation: Installation, _ client: DocumentsClient? = nil) async throws -> Text {
        let document = Text(document: try await pick(installation, client))
        try await document.open()
        return document
    }

    private static func stored(_ installation: Installation) -> String? {
        installation.read(installation.documents + "/notes.txt")
    }

    @Test("C11: without the right to the folder, creating fails with advice; it works elsewhere, and replaces nothing")
    func foreignPlace() async throws {
        try await Self.with { installation in
            let client = installation.client()
            let folder = try await DocumentPicker(client: client).item(at: try DocumentLocation("LocalFolder:/"))
            let document = Text(client: client, place: DocumentPlace(name: "new.md", in: folder.reference))
            document.edit("fresh")
            await #expect {
                try await document.save(for: .creating)
            } throws: { error in
                let error = error as? DocumentsError
                return error?.code == .notPermitted && error?.suggestion?.isEmpty == false
            }
            #expect(document.hasUnsavedChanges)
            // It names another place, and nothing is lost.
            try await document.save(to: .folder(try DocumentLocation("LocalFolder:/"), name: "new.md"), for: .creating)
            #expect(installation.read(installation.documents + "/new.md") == "fresh")
            try await document.close()
            let other = Text(client: client, location: try DocumentLocation("LocalFolder:/"), name: "new.md")
            await #expect(throws: DocumentsError.self, "the name is taken") { try await other.save(for: .creating) }
            #expect(installation.read(installation.documents + "/new.md") == "fresh")
        }
    }

    @Test("3.6: two documents on one WebDAV item follow each other, and the server gets the last save")
    func remote() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "notes.txt")
        } _: { remote in
            @MainActor func open() async throws -> Text {
                let client = remote.installation.client()
                let picked = try await DocumentPicker(client: client).openDocument(
                    at: try DocumentLocation(remote.location("notes.txt")))
                let document = Text(document: picked)
                try await document.open()
                return document
            }
            let (first, second) = (try await open(), try await open())
            #expect(first.text == "one")
            first.edit("two")
            try await first.save()
            try await remote.eventually("the second follows") { second.text == "two" }
            second.edit("three")
            try await second.close()
            try await remote.eventually("the first follows") { first.text == "three" }
            #expect(first.state == .normal)
            try await first.close()
            try await remote.drain().succeeded()
            #expect(try await remote.server.text("notes.txt") == "three")
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test(
        "2.4: a document's decision about kept versions is reported to the other presenters", arguments: [true, false])
    func resolved(keepingCurrent: Bool) async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "notes.txt")
        } _: { remote in
            let place = remote.location("notes.txt")
            let picked = try await DocumentPicker(client: remote.installation.client()).openDocument(
                at: try DocumentLocation(place))
            let document = Text(document: picked)
            try await document.open()
            let probe = try await Probe(remote.installation)
            let presenting = try probe.send("present", place, "quick")
            try await probe.wait(presenting, for: "presenting")
            try await remote.faults().refuse()
            document.edit("mine")
            try await document.save()
            try await remote.server.put("theirs", "notes.txt")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            let version = try await probe.wait(presenting, for: "didGainVersion")[1]
            // A decision before it has loaded the stored content would cause another conflict.
            try await remote.eventually("the document has noticed") {
                document.conflictVersions == [version] && document.text == "theirs"
            }
            try await document.resolveConflict(keepingCurrent: keepingCurrent)
            #expect(document.conflictVersions.isEmpty)
            #expect(try await probe.wait(presenting, for: "didResolveConflict")[1] == version)
            // It stays until it is discarded.
            #expect(try await remote.versions().map(\.identifier) == [version])
            try await document.close()
        }
    }

    @Test("HAZARDS 5: a document that saves again after its upload was confirmed does not conflict with itself")
    func savesAgain() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "notes.txt")
        } _: { remote in
            let picked = try await DocumentPicker(client: remote.installation.client()).openDocument(
                at: try DocumentLocation(remote.location("notes.txt")))
            let document = Text(document: picked)
            try await document.open()
            for text in ["two", "three", "four"] {
                document.edit(text)
                try await document.save()
                try await remote.drain().succeeded()
                #expect(try await remote.server.text("notes.txt") == text)
                #expect(document.state == .normal)
            }
            try await document.close()
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test(
        "D3: killing the daemon while a document saves loses nothing", arguments: Sample.shared.of(Array(0..<4)))
    func daemonKilled(round: Int) async throws {
        try await Self.with { installation in
            let document = try await Self.open(installation)
            // Long enough for the kill to happen in the middle.
            let text = String(repeating: "line \(round)\n", count: 1 << 18)
            document.edit(text)
            let saving = Task { try await document.save() }
            try await Task.sleep(for: .milliseconds(round * 40))
            kill(try #require(installation.daemonProcess), SIGKILL)
            _ = await saving.result
            #expect(document.text == text)
            let stored = try #require(Self.stored(installation))
            #expect(stored == "one" || stored == text, "everything or nothing")
            // The unsaved text is still here, and is written with the next save.
            #expect(document.hasUnsavedChanges || stored == text)
            try await installation.eventually("it is saved") {
                do {
                    if document.state.contains(.inConflict) {
                        try await document.resolveConflict(keepingCurrent: false)
                    }
                    try await document.save()
                    return true
                } catch { return false }
            }
            #expect(Self.stored(installation) == text)
            try await document.close()
        }
    }

    @Test("2.9, deadlock 8: two documents on one item follow each other", arguments: [true, false])
    func two(inOneSession: Bool) async throws {
        try await Self.with { installation in
            let client = inOneSession ? installation.client() : nil
            let first = try await Self.open(installation, client)
            let second = try await Self.open(installation, client)
            for round in 1...3 {
                first.edit("first \(round)")
                try await first.save()
                try await installation.eventually("the second follows") { second.text == "first \(round)" }
                second.edit("second \(round)")
                try await second.save()
                try await installation.eventually("the first follows") { first.text == "second \(round)" }
            }
            #expect(first.state == .normal)
            #expect(second.state == .normal)
            try await first.close()
            second.edit("last")
            try await second.close()
            #expect(Self.stored(installation) == "last")
        }
    }

    @Test("3.6: a reader gets unsaved changes, and a merging writer builds on them")
    func others() async throws {
        try await Self.with { installation in
            let document = try await Self.open(installation)
            let other = try await Self.pick(installation)
            document.edit("mine")
            let read = try await FileCoordinator(client: other.client).coordinate(readingItemAt: other.reference) {
                access in
                try FileHandle(fileDescriptor: access.descriptor, closeOnDealloc: false).readToEnd() ?? Data()
            }
            #expect(String(decoding: read, as: UTF8.self) == "mine")
            #expect(!document.hasUnsavedChanges)
            document.edit("mine again")
            try await FileCoordinator(client: other.client).coordinate(
                writingItemAt: other.reference, options: .forMerging
            ) { access in
                let session = try await access.session()
                let handle = FileHandle(fileDescriptor: session.descriptor, closeOnDealloc: false)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(", theirs".utf8))
            }
            try await installation.eventually("it is loaded") { document.text == "mine again, theirs" }
            try await installation.eventually("everything is resolved") { document.state == .normal }
            #expect(Self.stored(installation) == "mine again, theirs")
            try await document.close()
        }
    }

    @Test("O5: two unsaved changes are both kept, and no line is lost", arguments: [true, false])
    func conflict(inOneSession: Bool) async throws {
        try await Self.with { installation in
            let client = inOneSession ? installation.client() : nil
            let first = try await Self.open(installation, client)
            let second = try await Self.open(installation, client)
            first.edit("first")
            second.edit("second")
            try await first.save()
            try await installation.eventually("the second has noticed") { second.state == .inConflict }
            await #expect { try await second.save() } throws: { ($0 as? DocumentsError)?.code == .conflict }
            #expect(Self.stored(installation) == "first")
            let theirs = try await second.storedContents().data
            second.edit("\(String(decoding: theirs ?? Data(), as: UTF8.self)) and \(second.text)")
            try await second.resolveConflict(keepingCurrent: false)
            #expect(second.state == .normal)
            try await installation.eventually("the first follows") { first.text == "first and second" }
            #expect(Self.stored(installation) == "first and second")
            try await first.close()
            try await second.close()
        }
    }

    @Test(
        "2.9, deadlock 3: a save whose claim triggers another program's save ends in a conflict, not in a deadlock"
    )
    func savingAcross() async throws {
        try await Self.with { installation in
            let document = try await Self.open(installation)
            let other = SavingPresenter(try await Self.pick(installation))
            try await other.document.client.addFilePresenter(other)
            document.edit("mine")
            await #expect { try await document.save() } throws: { ($0 as? DocumentsError)?.code == .conflict }
            #expect(document.state == .inConflict)
            #expect(document.text == "mine")
            #expect(Self.stored(installation) == "theirs")
            await other.document.client.removeFilePresenter(other)
            // It may have saved more than once.
            #expect(try await document.storedContents().data == Data("theirs".utf8))
            try await document.resolveConflict(keepingCurrent: false)
            #expect(Self.stored(installation) == "mine")
            try await document.close()
        }
    }

    @Test("M7: a document follows a rename of its item, and saves under the new name")
    func renamed() async throws {
        try await Self.with { installation in
            let document = try await Self.open(installation)
            let other = try await Self.pick(installation)
            try await FileCoordinator(client: other.client).coordinate(
                writingItemAt: other.reference, options: .forMoving
            ) { access in
                _ = try await access.move(name: "list.md")
            }
            try await installation.eventually("it has the new name") { document.localizedName == "list" }
            document.edit("there")
            try await document.close()
            #expect(installation.read(installation.documents + "/list.md") == "there")
            #expect(Self.stored(installation) == nil)
        }
    }

    @Test("J2: a document closes when its item is deleted")
    func deleted() async throws {
        try await Self.with { installation in
            let document = try await Self.open(installation)
            let other = try await Self.pick(installation)
            try await FileCoordinator(client: other.client).coordinate(
                writingItemAt: other.reference, options: .forDeleting
            ) { access in
                try await access.delete()
            }
            try await installation.eventually("it is closed") { document.state == .closed }
            #expect(document.deletions == [nil])
        }
    }
}
