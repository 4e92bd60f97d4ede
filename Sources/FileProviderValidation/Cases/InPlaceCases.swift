import CLinux
import DocentInterfaces

/// Documents that are local files already.
enum InPlaceCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "inPlace.readOnly", level: 1, needs: [.inPlace], requirements: [.interface, .readingDescriptors],
            "OpenInPlace gives a regular file that is open for reading only, with the content of the item."
        ) { try await readOnly($0) },
        ValidationCase(
            "inPlace.own", level: 3, needs: [.inPlace], requirements: [.interface, .identity],
            "Two descriptors of one document do not share a position."
        ) { try await own($0) },
        ValidationCase(
            "inPlace.current", level: 3, needs: [.inPlace, .write], requirements: [.interface, .wholeContent],
            "After a change a new descriptor has the complete new content, and an old one the complete old content."
        ) { try await current($0) },
        ValidationCase(
            "inPlace.refused", level: 2, needs: [.inPlace], requirements: [.interface],
            "A folder or a missing document cannot be opened."
        ) { try await refused($0) },
    ]

    private static func document(_ context: CaseContext) async throws -> Wire.ProviderItem {
        if context.has(.write) { return try await context.makeFile(count: 5_000).item }
        let found = try await context.walk().first { !$0.isFolder && $0.symbolicLinkTarget == nil }
        guard let found else { try context.skip("the provider shows no document, and does not declare write") }
        return found
    }

    private static func readOnly(_ context: CaseContext) async throws {
        let document = try await document(context)
        let (item, file) = try await context.openInPlace(document.identifier)
        let did = "OpenInPlace of " + PlainText.quoted(document.name)
        context.expect(
            CaseContext.isSame(item.identifier, document.identifier), did: did, expected: PlainText.item(document),
            got: PlainText.item(item))
        let flags = clinux_get_status_flags(file.raw)
        context.expect(
            flags >= 0 && flags & CLINUX_O_ACCMODE == CLINUX_O_RDONLY, did: did,
            expected: "a descriptor for reading only", got: "one with the flags \(flags)",
            requirement: .readingDescriptors)
        var facts = clinux_stat()
        context.expect(
            clinux_stat_fd(file.raw, &facts) == 0 && clinux_is_regular(facts.mode) != 0, did: did,
            expected: "a regular file", got: "one of the mode \(String(facts.mode, radix: 8))")
        context.expect(
            item.size == nil || item.size == file.size, did: did, expected: "a file of \(item.size ?? 0) bytes",
            got: "a file of \(file.size) bytes")
    }

    private static func own(_ context: CaseContext) async throws {
        let document = try await document(context)
        let first = try await context.openInPlace(document.identifier).file
        let second = try await context.openInPlace(document.identifier).file
        _ = clinux_seek_data(first.raw, 100)
        var byte: UInt8 = 0
        let count = clinux_read(second.raw, &byte, 1)
        let expected = ContentFile.range(of: second.raw, at: 0, count: 1)
        context.expect(
            count == expected.count && (count == 0 || byte == expected.first),
            did: "Reading one descriptor of a document from its start, after another was moved to byte 100",
            expected: "its first byte", got: count == 1 ? "another one" : "nothing")
    }

    private static func current(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 30_000)
        let old = try await context.openInPlace(file.identifier).file
        let content = context.randomBytes(12_345)
        _ = try await context.modify(file.identifier, base: file.item.version, content: content)
        let new = try await context.openInPlace(file.identifier).file.contents()
        context.expect(
            new == content, did: "OpenInPlace after Modify", expected: "the new content",
            got: PlainText.difference(new, content))
        let before = old.contents()
        context.expect(
            before == file.content, did: "Reading a descriptor that was opened before Modify",
            expected: "the old content, because a document is replaced as a whole",
            got: PlainText.difference(before, file.content), requirement: .wholeContent)
    }

    private static func refused(_ context: CaseContext) async throws {
        try await context.expectError(did: "OpenInPlace of the top folder") {
            try await context.openInPlace(CaseContext.root).item
        }
        try await context.expectRefusal([.noSuchItem], did: "OpenInPlace of an unknown identifier") {
            try await context.openInPlace("nothing-has-this-identifier").item
        }
    }
}
