import DocentTestSupport
import Documents
import Foundation
import Testing

/// The requests that bookmarks make to a provider of the iOS 8 class (G8, D5, D6).
@Suite(.needs(.daemon)) struct ClassicBookmarkTests {
    @Test(
        "G8: creating a bookmark asks for the persistent identifier of the URL, resolving asks for the URL of the identifier"
    )
    func asksTheProvider() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            let name = "identified.txt"
            try ClassicProbeManifest.write("content", to: name, in: installation)
            func asked() -> [String] {
                ClassicProbeManifest.callbacks(about: name, in: installation).filter {
                    ["identify", "locate"].contains($0)
                }
            }
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation("\(ClassicProbeManifest.bundle):/\(name)"))
            let before = asked().count
            let bookmark = try await document.bookmark()
            let making = asked().dropFirst(before)
            #expect(making.contains("identify") && making.contains("locate"), "\(making)")
            try await installation.docent("daemon", "stop").succeeded()
            let made = asked().count
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(asked().dropFirst(made).contains("locate"), "\(asked())")
            #expect(try await BookmarkSupport.text(resolved.document) == "content")
            #expect(!resolved.isStale)
        }
    }

    @Test("G6: a bookmark finds a document whose file its provider has evicted")
    func evicted() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            let name = "evict.txt"
            try ClassicProbeManifest.write("content", to: name, in: installation)
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation("\(ClassicProbeManifest.bundle):/\(name)"))
            #expect(try await BookmarkSupport.text(document) == "content")
            let bookmark = try await document.bookmark()
            document.stopAccessing()
            try await installation.eventually("the file is evicted") {
                ClassicProbeManifest.callbacks(about: name, in: installation).contains("stop")
            }
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(try await BookmarkSupport.text(resolved.document) == "content")
        }
    }
}
