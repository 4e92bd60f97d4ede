import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing

/// An editor's version of a document that it saved, after the daemon that confirmed the save is gone.
@Suite(.needs(.daemon, .server, within: .seconds(300))) @MainActor struct ConfirmedVersionTests {
    private final class Text: Document {
        var text = ""

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        }

        override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

        func edit(_ text: String) {
            self.text = text
            updateChangeCount(.done)
        }
    }

    private static func daemon(_ remote: RemoteInstallation, crashAfter step: WriteStep?) async throws -> ChildProcess {
        try await remote.installation.stopDaemon()
        return try await remote.installation.readyDaemon(crashAfter: step?.rawValue)
    }

    @Test(
        "HAZARDS 5: after kill -9 around the confirmation of a save, the document's version is the one its editor saved",
        arguments: Sample.shared.of([nil, .sent, .uploadRecorded, .uploaded] as [WriteStep?]))
    func saved(step: WriteStep?) async throws {
        try await RemoteInstallation.with {
            try await $0.put("one", "notes.txt")
        } _: { remote in
            let place = try DocumentLocation(remote.location("notes.txt"))
            let client = remote.installation.client()
            let document = try await DocumentPicker(client: client).openDocument(at: place)
            let daemon = try await Self.daemon(remote, crashAfter: step)
            let session = try await document.beginWriting(replacing: true)
            try writeAll("two", to: session.descriptor)
            let saved = try await session.commit()
            if step == nil {
                #expect(try await remote.drain().status == 0)
                daemon.send(SIGKILL)
            }
            try await remote.installation.waitForEnd(of: daemon)
            try await remote.settle()
            #expect(try await remote.server.text("notes.txt") == "two")
            let now = try await document.item()
            #expect(now.hasContent(of: saved) == true, "\(saved.version ?? "-") became \(now.version ?? "-")")
            #expect(now.isUploaded && now.conflicts == 0)
            // A change by another client is still detected.
            try await remote.server.put("three", "notes.txt")
            try await remote.installation.eventually("the change of the server is seen") {
                try await document.item().hasContent(of: saved) == false
            }
        }
    }

    @Test("HAZARDS 5: unsaved edits on top of a save confirmed before a kill of the daemon cause no conflict")
    func edited() async throws {
        try await RemoteInstallation.with {
            try await $0.put("one", "notes.txt")
        } _: { remote in
            let place = try DocumentLocation(remote.location("notes.txt"))
            let picked = try await DocumentPicker(client: remote.installation.client()).openDocument(at: place)
            let document = Text(document: picked)
            try await document.open()
            document.edit("two")
            try await document.save()
            #expect(try await remote.drain().status == 0)
            document.edit("three")
            try await remote.killDaemon()
            try await remote.settle()
            // The presenter is registered again, and checks the current state.
            try await remote.installation.eventually("it presents again") {
                try await remote.docent("claims", "--json").text.contains("notes.txt")
            }
            try await document.save()
            #expect(document.state.isDisjoint(with: [.inConflict, .savingError]), "\(document.state)")
            #expect(document.text == "three")
            try await document.close()
            try await remote.settle()
            #expect(try await remote.server.text("notes.txt") == "three")
        }
    }
}
