import DocentInterfaces
import FileProvider
import Foundation
import Testing

@Suite struct PlaceholderTests {
    static let names = [
        "plain.txt", ".hidden", "..two", "_under", "line\nbreak", ".a.docent-placeholder",
        "..a.docent-placeholder.docent-placeholder", "ünï", String(repeating: "n", count: 255),
        String(repeating: "n", count: 236), String(repeating: "n", count: 235), #"a\xFFb"#, #"\x5C"#, "%2F", "a b?#",
        "tab\tand\u{1b}[0m", ".icloud", ".docent-placeholder", "...", " ", "~$x.docx", "e\u{301}", "\u{202e}txt.exe",
    ]

    @Test(
        "3.7, complaint 24: the placeholder of every legal name is hidden, fits, and contains the name",
        arguments: names)
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

    @Test("3.7: a document whose content looks like a placeholder's is not one")
    func believesNoDocument() async throws {
        try await Scratch.folder { storage in
            let placeholder = FileProviderExtension.placeholderURL(for: URL(filePath: storage + "/a"))
            try FileProviderExtension.writePlaceholder(at: placeholder, withMetadata: PlaceholderMetadata(name: "a"))
            let text = [UInt8](try Data(contentsOf: placeholder))
            let host = try await ExtensionUnderTest("FileProviderTests.EmptyExtension", storage: storage)
            _ = try await host.call(
                FileProviderInterface.Create.self,
                .init(
                    domain: "", parent: ".root", name: ".b.docent-placeholder", isFolder: false, content: 0,
                    size: text.count, digest: "d", operation: "o"), content: text)
            let items = try await host.call(FileProviderInterface.Children.self, .init(domain: "", parent: ".root"))
                .items
            #expect(items.map(\.name).sorted() == [".b.docent-placeholder", "a"])
        }
    }

    @Test("E1: a placeholder has size, type, dates, version and thumbnail reference")
    func tellsMetadata() async throws {
        try await Scratch.folder { storage in
            let date = Date(timeIntervalSince1970: 1_000_000)
            try FileProviderExtension.writePlaceholder(
                at: FileProviderExtension.placeholderURL(for: URL(filePath: storage + "/a.txt")),
                withMetadata: PlaceholderMetadata(
                    name: "a.txt", size: 1 << 40, contentType: "public.plain-text", modificationDate: date,
                    creationDate: date, version: "v", thumbnail: "thumb/1"))
            let host = try await ExtensionUnderTest("FileProviderTests.EmptyExtension", storage: storage)
            let item = try await host.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "a.txt")).item
            #expect(item.size == 1 << 40)
            #expect(item.contentType == "public.plain-text")
            #expect(item.modificationDate == 1_000_000)
            #expect(item.creationDate == 1_000_000)
            #expect(item.version == "v")
            #expect(item.thumbnail == "thumb/1")
            #expect(item.isDownloaded == false)
        }
    }

    @Test("An invalid version or thumbnail reference is refused when it is written")
    func refusesLongMetadata() async throws {
        try await Scratch.folder { storage in
            let url = FileProviderExtension.placeholderURL(for: URL(filePath: storage + "/a"))
            let long = String(repeating: "t", count: 1_025)
            for metadata in [
                PlaceholderMetadata(name: "a", thumbnail: long), PlaceholderMetadata(name: "a", version: long),
            ] {
                _ = #expect(throws: FileProviderError.self) {
                    try FileProviderExtension.writePlaceholder(at: url, withMetadata: metadata)
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: storage)
            #expect(names.isEmpty)
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
