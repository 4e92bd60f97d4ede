import DocentInterfaces
import FileProvider
import Foundation
import Testing

@Suite struct PlaceholderTests {
    static let names = [
        "plain.txt", ".hidden", "..two", "_under", "line\nbreak", ".a.docent-placeholder",
        "..a.docent-placeholder.docent-placeholder", "ünï", String(repeating: "n", count: 255),
        String(repeating: "n", count: 236), String(repeating: "n", count: 235),
    ]

    @Test(
        "3.7, complaint 24: the placeholder of every legal name is hidden, fits, and tells the name", arguments: names)
    func isReversible(name: String) async throws {
        try await Scratch.folder { storage in
            let document = URL(filePath: storage).appending(path: name, directoryHint: .notDirectory)
            let placeholder = FileProviderExtension.placeholderURL(for: document)
            #expect(placeholder.lastPathComponent.hasPrefix("."))
            #expect(placeholder.lastPathComponent.utf8.count <= 255)
            #expect(placeholder.deletingLastPathComponent().path == document.deletingLastPathComponent().path)
            try FileProviderExtension.writePlaceholder(
                at: placeholder, withMetadata: PlaceholderMetadata(name: name, size: 7))
            let host = try await ExtensionUnderTest("FileProviderTests.EmptyExtension", storage: storage)
            let items = try await host.call(FileProviderInterface.Children.self, .init(domain: "", parent: ".root"))
                .items
            #expect(items.map(\.name) == [name])
            #expect(items.map(\.size) == [7])
        }
    }

    @Test("3.7: different names have different placeholders")
    func isUnique() {
        let all = Self.names.map {
            FileProviderExtension.placeholderURL(for: URL(filePath: "/nowhere").appending(path: $0))
        }
        #expect(Set(all).count == all.count)
    }

    @Test(
        "3.7: a document that is named like a placeholder can be stored beside that placeholder",
        arguments: [false, true])
    func makesWay(documentFirst: Bool) async throws {
        try await Scratch.folder { storage in
            let host = try await ExtensionUnderTest("FileProviderTests.EmptyExtension", storage: storage)
            let url = URL(filePath: storage + "/a")
            func store() async throws {
                _ = try await host.call(
                    FileProviderInterface.Create.self,
                    .init(
                        domain: "", parent: ".root", name: ".a.docent-placeholder", isFolder: false, content: 0,
                        size: 4,
                        digest: "d", operation: "o"), content: Array("text".utf8))
            }
            if documentFirst { try await store() }
            try FileProviderExtension.writePlaceholder(
                at: FileProviderExtension.placeholderURL(for: url),
                withMetadata: PlaceholderMetadata(name: "a", size: 9))
            if !documentFirst { try await store() }
            let items = try await host.call(FileProviderInterface.Children.self, .init(domain: "", parent: ".root"))
                .items
            #expect(items.map { "\($0.name) \($0.size ?? -1)" }.sorted() == [".a.docent-placeholder 4", "a 9"])
        }
    }

    @Test("E2: a placeholder is written only where placeholderURL says")
    func refusesOtherPlaces() async throws {
        try await Scratch.folder { storage in
            _ = #expect(throws: FileProviderError.self) {
                try FileProviderExtension.writePlaceholder(
                    at: URL(filePath: storage + "/.b.docent-placeholder"), withMetadata: PlaceholderMetadata(name: "a"))
            }
        }
    }
}
