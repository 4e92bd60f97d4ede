import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Bookmarks end to end: their content and what they survive (G4 to G6, G8, F4).
@Suite(.needs(.daemon)) struct BookmarkTests {
    private typealias Support = BookmarkSupport

    @Test(
        "G4: values are embedded on request; they can be read without the document and its provider, but by no other client"
    )
    func values() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/project", withIntermediateDirectories: true)
            try installation.write("hello", to: "project/a.txt")
            let (client, other) = (installation.client(), installation.client("org.example.other"))
            defer {
                client.close()
                other.close()
            }
            let document = try await Support.open("project/a.txt", client)
            let bookmark = try await document.bookmark(includingValuesFor: [.name, .size, .path, .contentType])
            let plain = try await document.bookmark()
            #expect(plain != bookmark)
            await #expect(throws: DocumentsError.self) {
                try await document.bookmark(includingValuesFor: [BookmarkValueKey(rawValue: "secrets")])
            }
            #expect(unlink(installation.documents + "/project/a.txt") == 0)
            try await installation.docent("provider", "disable", "org.docent.LocalFolder").succeeded()
            let values = try await client.values(ofBookmark: bookmark)
            #expect(values.provider == "org.docent.LocalFolder" && values.name == "a.txt" && values.size == 5)
            #expect(values.path == "/project/a.txt" && values.contentType == "public.plain-text")
            #expect(values.modificationDate == nil && values.creationDate == nil)
            #expect(try await client.values(ofBookmark: plain).name == nil)
            await #expect(throws: DocumentsError.self) { try await other.values(ofBookmark: bookmark) }
        }
    }

    @Test("G4: a read-only bookmark restores reading only, even if more is granted")
    func readOnly() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let document = try await Support.open("a.txt", client)
            let narrow = try await document.bookmark(options: .securityScopeAllowOnlyReadAccess)
            #expect(try await client.resolve(bookmark: narrow).document.access == .read)
            #expect(try await client.resolve(bookmark: try await document.bookmark()).document.access == .readWrite)
        }
    }

    @Test("G4: a bookmark relative to a folder needs that folder and the right to it")
    func relative() async throws {
        try await Installation.withLocalFolder { installation in
            for folder in ["one", "two"] {
                try FileManager.default.createDirectory(
                    atPath: installation.documents + "/" + folder, withIntermediateDirectories: true)
            }
            try installation.write("hello", to: "one/a.txt")
            let client = installation.client()
            defer { client.close() }
            let document = try await Support.open("one/a.txt", client)
            let one = try await Support.openFolder("one", client, access: .read)
            let two = try await Support.openFolder("two", client, access: .read)
            let bookmark = try await document.bookmark(relativeTo: one)
            #expect(try await client.resolve(bookmark: bookmark, relativeTo: one).item.name == "a.txt")
            #expect(try await Support.refusal(client, bookmark)?.code == .invalidArgument)
            #expect(try await Support.refusal(client, bookmark, relativeTo: two)?.code == .notFound)
            await #expect(throws: DocumentsError.self) { try await one.bookmark(relativeTo: document) }
            try await installation.docent("revoke", "LocalFolder:/one", "--yes").succeeded()
            #expect(try await Support.refusal(client, bookmark, relativeTo: one)?.code == .notFound)
        }
    }

    @Test("G5: a rename or move makes a bookmark stale, and a renewed one is not stale")
    func stale() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/folder", withIntermediateDirectories: true)
            try installation.write("hello", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            var bookmark = try await Support.open("a.txt", client).bookmark()
            #expect(try await client.resolve(bookmark: bookmark).isStale == false)
            for (command, name) in [("b.txt", "b.txt"), ("/folder/b.txt", "b.txt")] {
                let from = command == "b.txt" ? "LocalFolder:/a.txt" : "LocalFolder:/b.txt"
                try await installation.docent("rename", from, command).succeeded()
                let resolved = try await client.resolve(bookmark: bookmark)
                #expect(resolved.isStale, "\(command)")
                #expect(resolved.item.name == name)
                #expect(try await Support.text(resolved.document) == "hello")
                bookmark = try await resolved.document.bookmark()
                #expect(try await client.resolve(bookmark: bookmark).isStale == false)
            }
        }
    }

    @Test("G4, G6, G8: a bookmark survives restarts, external renames, and disabling of its provider")
    func survives() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let bookmark = try await Support.open("a.txt", client).bookmark()
            if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            let folder = installation.documents
            #expect(rename(folder + "/a.txt", folder + "/b.txt") == 0)
            try installation.write("a stranger's", to: "a.txt")
            #expect(try await Support.text(try await client.resolve(bookmark: bookmark).document) == "mine")
            try await installation.docent("provider", "disable", "org.docent.LocalFolder").succeeded()
            #expect(try await Support.refusal(client, bookmark)?.code == .notPermitted)
            try await installation.docent("provider", "enable", "org.docent.LocalFolder", "--yes").succeeded()
            #expect(try await Support.text(try await client.resolve(bookmark: bookmark).document) == "mine")
        }
    }

    @Test("complaint 1: resolving with a removed provider fails at once; after reinstallation the bookmark works")
    func providerRemoved() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let bookmark = try await Support.open("a.txt", client).bookmark(includingValuesFor: [.name])
            let aside = installation.root + "/aside"
            try FileManager.default.moveItem(atPath: installation.manifests, toPath: aside)
            try FileManager.default.createDirectory(
                atPath: installation.manifests, withIntermediateDirectories: true)
            try await installation.docent("daemon", "stop").succeeded()
            let answer = try #require(try await Support.refusal(client, bookmark))
            #expect(answer.code == .notFound && answer.message.contains("not installed any more"), "\(answer)")
            #expect(try await client.values(ofBookmark: bookmark).name == "a.txt")
            try FileManager.default.removeItem(atPath: installation.manifests)
            try FileManager.default.moveItem(atPath: aside, toPath: installation.manifests)
            try await installation.docent("daemon", "stop").succeeded()
            #expect(try await Support.text(try await client.resolve(bookmark: bookmark).document) == "mine")
        }
    }

    @Test("complaint 1, X11: a hanging provider does not block a bookmark forever")
    func providerHangs() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "3"]) {
            installation in
            try installation.write("mine", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let bookmark = try await Support.open("a.txt", client).bookmark()
            let provider = try #require(try await installation.extensionProcess())
            defer { kill(provider, SIGCONT) }
            try await installation.halt(provider)
            let answer = try #require(try await Support.refusal(client, bookmark))
            #expect(answer.code == .deadlineExceeded || answer.code == .unavailable, "\(answer)")
        }
    }
}
