import Foundation
import Records
import RemoteDocuments
import Storage
import Testing

@Suite("Placeholders of remote documents")
struct RemotePlaceholderTests {
    private func withFolder(_ body: (Directory) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "/placeholder-\(UUID().uuidString)"
        let folder = try Directory.make(path: StorageLayout(dataDirectory: path, runtimeDirectory: path).dataDirectory)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(folder)
    }

    static let samples: [[UInt8]] = {
        var names = (1...255).map { [UInt8($0)] }
        names.removeAll { $0 == Array("/".utf8) || $0 == Array(".".utf8) }
        names += ["a.txt", ".a.txt.docent-placeholder", "..a"].map { Array($0.utf8) }
        names += [255, 236, 235].map { Array(repeating: 0x61, count: $0) }
        names.append(Array(repeating: 0xFF, count: 240))
        return names
    }()

    @Test("3.7: every legal name has a hidden placeholder name of its own that differs from it", arguments: samples)
    func named(bytes: [UInt8]) throws {
        let document = try #require(FileName(bytes: bytes))
        let name = PlaceholderName.name(of: document)
        #expect(name != document)
        #expect(name.bytes.first == UInt8(ascii: "."))
        if bytes.count <= 235 { #expect(name.bytes == Array(".".utf8) + bytes + Array(".docent-placeholder".utf8)) }
    }

    @Test("3.7: two documents never share a placeholder name")
    func distinct() {
        let all = Self.samples.compactMap { FileName(bytes: $0) }.map(PlaceholderName.name)
        #expect(Set(all).count == all.count)
    }

    @Test(
        "E1: the description is read back, and an unchanged one is not written again",
        arguments: ["a.txt", String(repeating: "n", count: 250)])
    func roundTrip(name: String) throws {
        try withFolder { folder in
            var description = RemoteSample.description("id", name: name)
            description.modificationDate = 1_700_000_000
            description.thumbnail = "thumb"
            let placeholder = PlaceholderFile(description)
            let document = try FileName(name)
            try placeholder.write(for: document, in: folder)
            #expect(PlaceholderFile.read(for: document, in: folder) == placeholder)
            let before = try folder.status(of: PlaceholderName.name(of: document))?.identity
            try placeholder.write(for: document, in: folder)
            #expect(try folder.status(of: PlaceholderName.name(of: document))?.identity == before)
            #expect(try folder.names().count == 1)
            try PlaceholderFile.remove(for: document, in: folder)
            try PlaceholderFile.remove(for: document, in: folder)
            #expect(try folder.names().isEmpty)
        }
    }

    @Test("a document whose own name looks like a placeholder's is stored beside the placeholder")
    func literal() throws {
        try withFolder { folder in
            let document = try FileName(".a.docent-placeholder")
            _ = try folder.create(document)
            try PlaceholderFile(RemoteSample.description("id", name: "\(document)")).write(for: document, in: folder)
            #expect(try folder.names().count == 2)
            #expect(try folder.status(of: document)?.size == 0)
        }
    }

    @Test(
        "F3: an invalid file that a provider stores under the name is ignored",
        arguments: ["", "{}", "{\"docentPlaceholder\":9}"])
    func planted(text: String) throws {
        try withFolder { folder in
            let document = try FileName("a")
            let path = "\(folder.path)/\(PlaceholderName.name(of: document))"
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(PlaceholderFile.read(for: document, in: folder) == nil)
            try PlaceholderFile(RemoteSample.description("id")).write(for: document, in: folder)
            #expect(PlaceholderFile.read(for: document, in: folder) != nil)
        }
    }
}
