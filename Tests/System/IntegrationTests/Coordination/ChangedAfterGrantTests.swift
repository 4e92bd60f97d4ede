import DocentTestSupport
import Documents
import Foundation
import Testing

/// A change that comes between the grant of a claim and the write (law 6).
@Suite(.needs(.daemon)) struct ChangedAfterGrantTests {
    @Test(
        "law 6: a document that was changed after its claim was granted is not replaced unseen, unless that was asked for",
        arguments: [false, true])
    func changed(_ isReplacing: Bool) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/a.txt"))
            let coordinator = FileCoordinator(client: client)
            var failure: DocumentsError?
            do {
                try await coordinator.coordinate(
                    writingItemAt: document.reference, options: isReplacing ? .forReplacing : []
                ) { access in
                    #expect(access.item?.size == 3)
                    try installation.write("theirs", to: "a.txt")
                    let session = try await access.session(replacing: true)
                    try writeAll("mine", to: session.descriptor)
                    try await session.commit()
                }
            } catch let error as DocumentsError { failure = error }
            #expect(failure?.code == (isReplacing ? nil : .conflict), "\(String(describing: failure))")
            let stored = installation.read(installation.documents + "/a.txt")
            #expect(stored == (isReplacing ? "mine" : "theirs"))
        }
    }
}
