import CLinux
import Foundation
import Testing

@testable import Storage

@Suite struct PlacesTests {
    static let texts = [
        "", ".", "..", "a/b", "/", "a\0b", "a\nb", "%2F", "_empty", "_h-x", "Ä", "A\u{308}", ".hidden", "x:y@z",
        String(repeating: "é", count: 200), String(repeating: "n", count: 255), String(repeating: "n", count: 256),
    ]

    @Test("every identifier has its own folder name, which is reversible or recorded inside", arguments: texts)
    func identifiers(_ text: String) throws {
        let scratch = try Scratch()
        let store = try scratch.store
        let place = try scratch.place(text)
        #expect(place.folder.bytes.count <= 255)
        try scratch.file("data/Staging/f", [5]).take().map { _ = clinux_close($0) }
        _ = try store.publish(
            FileName("f"), in: Directory(path: scratch.layout.stagingDirectory), for: text, at: place, replacing: nil,
            item: text, operation: "o", versions: VersionStore(layout: scratch.layout))
        #expect(try store.identifiers().map { Array($0.utf8) } == [Array(text.utf8)])
        #expect(try scratch.content(of: place) == [5])
        try store.remove(place)
        try store.remove(place)
        #expect(try Directory(path: store.container).names().isEmpty)
        let others = Self.texts.filter { !$0.utf8.elementsEqual(text.utf8) }
        #expect(!others.contains { NameEscaping.escape($0) == place.folder })
    }

    @Test(
        "a hostile name stays inside the item's folder",
        arguments: [
            [], [0x2E], [0x2E, 0x2E], Array("../../etc/passwd".utf8), [0], [0xFF, 0xFE], Array("a\nb".utf8),
            [UInt8](repeating: 0x61, count: 255), [UInt8](repeating: 0x61, count: 400) + Array(".txt".utf8),
            Array(".docent-identifier".utf8),
        ] as [[UInt8]])
    func names(_ name: [UInt8]) throws {
        let scratch = try Scratch()
        let place = try scratch.store.place(for: "item", name: name)
        try scratch.save([1], operation: "op", at: place)
        #expect(try scratch.content(of: place) == [1])
        #expect(try Directory(path: place.container).names() == [place.folder])
        #expect(!place.name.bytes.starts(with: Array(".docent-".utf8)))
        #expect(!place.name.description.contains("\n"))
        if FileName(bytes: name) != nil, !name.starts(with: Array(".docent".utf8)) { #expect(place.name.bytes == name) }
    }

    @Test("a file name that was made from a text gives the text back", arguments: texts)
    func nameText(_ text: String) throws {
        for text in [text, text + ".txt", text + "\\\u{7F}", "ab" + text, text + "😀" + text, text + "x😀"] {
            let name = NameEscaping.storageName(for: Array(text.utf8))
            #expect(try FileName(name.text) == name)
            #expect(name.bytes.count <= FileName.maximumLength)
        }
    }

    @Test("bytes that are not UTF-8 are shown as \\xHH")
    func shown() {
        #expect(FileName(bytes: [0x61, 0xFF, 0xC3, 0xA9, 0x0A])?.description == "a\\xFFé\\x0A")
    }

    @Test("F3: a link or FIFO that a provider planted is refused, without hanging")
    func planted() throws {
        let scratch = try Scratch()
        let place = try scratch.place()
        let container = try Directory(path: place.container)
        try checked(clinux_symlinkat("/etc", container.descriptor, "item"), "link")
        expectCode(.unacceptable) { _ = try scratch.store.open(place) }
        expectCode(.unacceptable) { try scratch.save([1], operation: "o", at: place) }
        try container.remove(place.folder)
        let folder = try container.makeDirectory(place.folder)
        try checked(clinux_mkfifoat(folder.descriptor, "report.txt", 0o600), "mkfifo")
        expectCode(.unacceptable) { _ = try scratch.store.open(place) }
        try folder.remove(place.name)
        try checked(clinux_symlinkat("/etc/passwd", folder.descriptor, "report.txt"), "link")
        expectCode(.unacceptable) { _ = try scratch.store.open(place) }
    }

    @Test("C9, C10: copies of an import are separate, numbered, and deleted with the session")
    func inbox() throws {
        let scratch = try Scratch()
        let inbox = Inbox(layout: scratch.layout)
        let source = try scratch.file("s", [1, 2])
        let copies = try (0..<2).map { _ in
            try inbox.importCopy(
                of: source.number, named: Array("a.txt".utf8), principalKind: "run", principal: "p", session: "s",
                bound: 10)
        }
        #expect(copies.map(\.name.description) == ["a.txt", "a 2.txt"])
        clinux_pwrite(source.number, [9] as [UInt8], 1, 0)
        #expect(try bytes(of: copies[1].descriptor) == [1, 2])
        #expect(try FileStatus(of: copies[0].descriptor.number).mode == 0o600)
        try FileManager.default.createDirectory(
            atPath: (copies[0].path as NSString).deletingLastPathComponent + "/x/y/z/w",
            withIntermediateDirectories: true)
        _ = try inbox.importCopy(
            of: source.number, named: [], principalKind: "run", principal: "p", session: "other", bound: 10)
        try inbox.removeSession(principalKind: "run", principal: "p", session: "s")
        #expect(!FileManager.default.fileExists(atPath: copies[0].path))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.layout.inboxDirectory.text).count == 3)
        try inbox.removeAll()
        #expect(try Directory(path: scratch.layout.inboxDirectory).names().isEmpty)
        expectCode(.tooLarge) {
            _ = try inbox.importCopy(
                of: source.number, named: [], principalKind: "run", principal: "p", session: "s", bound: 1)
        }
    }

    @Test("D4: without a usable XDG_RUNTIME_DIR the socket still fits its address and lies in a private place")
    func runtimeDirectory() throws {
        let scratch = try Scratch()
        let deep = scratch.root + "/" + String(repeating: "d", count: 120)
        for environment in [
            ["HOME": scratch.root], ["HOME": scratch.root, "XDG_RUNTIME_DIR": "relative"],
            ["HOME": scratch.root, "XDG_RUNTIME_DIR": scratch.root + "/missing"], ["HOME": deep],
        ] {
            let layout = try StorageLayout(environment: environment, userID: geteuid())
            #expect(layout.socketPath.utf8.count <= StorageLayout.maximumSocketPath)
        }
        let foreign = try StorageLayout(environment: ["HOME": deep], userID: 4_000_000)
        #expect(foreign.runtimeDirectory.text == "/tmp/docent-4000000")
        let own = try StorageLayout(environment: ["HOME": "/h", "XDG_RUNTIME_DIR": scratch.root + "/run"])
        #expect(own.socketPath == scratch.root + "/run/docent/docent.sock")
        #expect(own.dataDirectory.text == "/h/.local/share/docent")
        expectCode(.notFound) { _ = try StorageLayout(environment: [:]) }
        let mode = try Directory(path: scratch.layout.stagingDirectory).status().mode
        #expect(mode == 0o700)
        #expect(
            own.documentStorage(group: "../x", domain: "../y").hasSuffix(
                "/Groups/%2E.%2Fx/File Provider Storage/%2E.%2Fy"))
    }
}
