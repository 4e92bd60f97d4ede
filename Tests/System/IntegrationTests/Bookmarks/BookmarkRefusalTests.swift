import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// Invalid bookmarks (G8, I2, I3): the same answer for all, and the reason in the audit log (I4).
@Suite(.needs(.daemon)) struct BookmarkRefusalTests {
    private typealias Support = BookmarkSupport

    @Test(
        "G8: forged, truncated, foreign, mismatched, revoked and expired bookmarks get the same answer; the audit log has the reason"
    )
    func oneAnswer() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "b.txt", "c.txt"] { try installation.write("hello", to: name) }
            let identifier = "org.example.Editor"
            let client = installation.client(identifier)
            defer { client.close() }
            let bookmark = try await Support.open("a.txt", client).bookmark()
            let revoked = try await Support.open("b.txt", client).bookmark()
            let expired = try await DocumentPicker(client: client).openDocument(
                at: IsolationTests.location("/c.txt"), expiresAfter: .seconds(10)
            ).bookmark()
            try await installation.docent("revoke", "LocalFolder:/b.txt", "--yes").succeeded()
            var answers: [String: BookmarkSupport.Answer] = [:]
            for (reason, text) in [
                ("malformed", "b2-"), ("malformed", "hello"), ("malformed", String(bookmark.dropLast())),
                ("forged", Self.flipped(bookmark)), ("revoked", revoked),
            ] {
                answers[reason + text] = try await Support.refusal(client, text)
            }
            try await installation.eventually("the right has expired") {
                try await Support.refusal(client, expired) != nil
            }
            answers["expired"] = try await Support.refusal(client, expired)
            // The same identifier of another kind.
            try await IsolationTests.withConfinedClient(installation, identifier) { confined in
                answers["kind"] = try await Support.refusal(confined, bookmark)
            }
            #expect(Set(answers.values).count == 1, "\(answers)")
            #expect(answers.count == 7)
            #expect(answers["kind"]?.code == .notFound)
            let stranger = installation.client("org.example.Other")
            defer { stranger.close() }
            #expect(try await Support.refusal(stranger, bookmark)?.code == .notFound)
            #expect(try await client.resolve(bookmark: bookmark).item.name == "a.txt")
            let reasons = Set(try await Support.refused(installation).map(\.detail))
            for reason in ["malformed", "forged or altered", "of another client", "its right was revoked"] {
                #expect(reasons.contains("bookmark: " + reason), "\(reasons)")
            }
        }
    }

    // A bit in the middle.
    private static func flipped(_ bookmark: String) -> String {
        var text = Array(bookmark)
        text[text.count / 2] = text[text.count / 2] == "A" ? "B" : "A"
        return String(text)
    }

    @Test("G7: a bookmark based on the right to a folder ends when the document is moved out of the folder")
    func movedOut() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/folder", withIntermediateDirectories: true)
            try installation.write("hello", to: "folder/a.txt")
            let client = installation.client()
            defer { client.close() }
            let folder = try await Support.openFolder("folder", client)
            let listed = try await client.call(DocumentsInterface.List.self, .init(reference: folder.reference.wire))
                .value.items
            let inside = client.document(DocumentReference(try #require(listed.first).reference), access: .readWrite)
            let bookmark = try await inside.bookmark()
            #expect(try await client.resolve(bookmark: bookmark).document.access == .readWrite)
            let root = installation.documents
            #expect(rename(root + "/folder/a.txt", root + "/a.txt") == 0)
            try await installation.eventually("the document is outside") {
                try await Support.refusal(client, bookmark)?.code == .notFound
            }
        }
    }

    @Test("losing the key invalidates its bookmarks; the doctor reports it, and new bookmarks work")
    func keyLost() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let document = try await Support.open("a.txt", client)
            let bookmark = try await document.bookmark()
            let key = installation.data + "/bookmark.key"
            let attributes = try FileManager.default.attributesOfItem(atPath: key)
            #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 32)
            try await installation.docent("daemon", "stop").succeeded()
            try FileManager.default.moveItem(atPath: key, toPath: key + ".aside")
            #expect(try await Support.refusal(client, bookmark)?.code == .notFound)
            #expect(try await Support.refused(installation).map(\.detail) == ["bookmark: its key is lost"])
            #expect(try await installation.docent("doctor").text.contains("bookmark.key is missing"))
            // Once it is restored everything works as before.
            try FileManager.default.moveItem(atPath: key + ".aside", toPath: key)
            #expect(try await client.resolve(bookmark: bookmark).item.name == "a.txt")
            try await installation.docent("daemon", "stop").succeeded()
            try FileManager.default.removeItem(atPath: key)
            let fresh = try await document.bookmark()
            #expect(try await client.resolve(bookmark: fresh).item.name == "a.txt")
            #expect(try await Support.refusal(client, bookmark)?.code == .notFound)
        }
    }

    @Test("F2, G7: a reference with a NUL is refused, although the same reference without the NUL is granted")
    func nul() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/folder", withIntermediateDirectories: true)
            try installation.write("mine", to: "folder/a.txt")
            let client = installation.client()
            defer { client.close() }
            let folder = try await Support.openFolder("folder", client)
            let document = try await Support.open("folder/a.txt", client)
            let bookmark = try await document.bookmark(relativeTo: folder)
            func cut(_ reference: DocumentReference) -> [DocumentReference] {
                let (provider, domain, identifier) = (reference.provider, reference.domain, reference.identifier)
                return [
                    .init(provider: provider + "\0", domain: domain, identifier: identifier),
                    .init(provider: provider, domain: domain + "\0", identifier: identifier),
                    .init(provider: provider, domain: domain, identifier: identifier + "\0"),
                ]
            }
            for reference in cut(document.reference) {
                let named = client.document(reference)
                #expect(await named.startAccessingSecurityScopedResource() == false)
                for call in [
                    { _ = try await named.openForReading() as CInt }, { _ = try await named.bookmark() },
                    {
                        _ = try await client.call(
                            DocumentsInterface.StopAccessing.self, .init(reference: reference.wire))
                    },
                ] as [() async throws -> Void] {
                    let error = await #expect(throws: DocumentsError.self) { try await call() }
                    #expect(error?.code == .notPermitted, "\(String(describing: error))")
                }
            }
            for reference in cut(folder.reference) {
                let answer = try await Support.refusal(client, bookmark, relativeTo: client.document(reference))
                #expect(answer?.code == .notPermitted, "\(String(describing: answer))")
            }
            #expect(try await Support.refusal(client, bookmark, relativeTo: folder) == nil)
        }
    }
}
