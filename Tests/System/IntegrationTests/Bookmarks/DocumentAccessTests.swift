import DocentTestSupport
import Documents
import Foundation
import Testing

/// A Document has its own access, independent of its opener's (X5, G11).
@Suite(.needs(.daemon)) @MainActor struct DocumentAccessTests {
    private final class Text: Document {
        var text = ""

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        }

        override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }
    }

    @Test(
        "X5, G11: a client that opens a document may stop its own access at once; the document's access lasts until it is closed"
    )
    func holdsItsOwn() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            try ClassicProbeManifest.write("content", to: "a.txt", in: installation)
            func stops() -> Int {
                ClassicProbeManifest.callbacks(about: "a.txt", in: installation).filter { $0 == "stop" }.count
            }
            let client = installation.client()
            defer { client.close() }
            let picked = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation("\(ClassicProbeManifest.bundle):/a.txt"))
            #expect(await picked.startAccessingSecurityScopedResource())
            let document = Text(document: picked)
            // As in the sample: opening has begun, and the caller stops its access.
            async let opened: Void = document.open()
            picked.stopAccessingSecurityScopedResource()
            try await opened
            #expect(document.text == "content")
            // The picked object may also be notified of the daemon's use of it.
            let other = client.document(picked.reference)
            #expect(try await BookmarkSupport.text(other) == "content")
            other.stopAccessing()
            try await Task.sleep(for: .seconds(1))
            #expect(stops() == 0, "the provider released an open document")
            document.text = "edited"
            document.updateChangeCount(.done)
            try await document.close()
            try await installation.eventually("it is saved") {
                ClassicProbeManifest.read("a.txt", in: installation) == "edited"
            }
            try await installation.eventually("stopProviding is called while the client is still running") {
                stops() == 1
            }
        }
    }
}
