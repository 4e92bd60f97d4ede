import DocentInterfaces
import FoundationEssentials

/// Metadata kept beside the content.
enum MetadataCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "metadata.create", level: 2, needs: [.write, .metadata], requirements: [.interface, .metadata],
            "A new document with attributes and dates is stored completely, with the requested date or that of storing."
        ) { try await create($0) },
        ValidationCase(
            "metadata.modify", level: 2, needs: [.write, .metadata], requirements: [.interface, .metadata],
            "New content with attributes and dates is stored completely."
        ) { try await modify($0) },
        ValidationCase(
            "metadata.odd", level: 6, needs: [.write, .metadata], requirements: [.interface, .metadata],
            "Metadata that cannot be kept is left out without an error: odd names, large values, distant dates."
        ) { try await odd($0) },
    ]

    private static let date = 1_234_567_890.0

    private static func metadata() -> Wire.ItemMetadata {
        Wire.ItemMetadata(
            attributes: ["user.docent.validation": Data("value".utf8).base64EncodedString()],
            creationDate: date - 1_000, modificationDate: date, hasHiddenExtension: true)
    }

    private static func create(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let content = context.randomBytes(3_000)
        let item = try await context.create("dated.bin", in: folder, content: content, metadata: metadata())
        let what = "Create with attributes and dates"
        try await context.expectFound(item, name: "dated.bin", in: folder, after: what)
        try await context.expectBytes(content, of: item.identifier, after: what)
        try await expectDate(context, item.identifier, what)
    }

    private static func modify(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 100)
        let content = context.randomBytes(4_000)
        let result = try await context.modify(
            file.identifier, base: file.item.version, content: content, metadata: metadata())
        let what = "Modify with attributes and dates"
        context.expect(
            CaseContext.isSame(result.item.identifier, file.identifier), did: what, expected: "the same identifier",
            got: PlainText.item(result.item), requirement: .identity)
        try await context.expectBytes(content, of: file.identifier, after: what)
        try await expectDate(context, file.identifier, what)
    }

    private static func expectDate(_ context: CaseContext, _ identifier: String, _ what: String) async throws {
        guard let shown = try await context.item(identifier).modificationDate else { return }
        // A day, because the clocks of servers may be wrong.
        let now = Date().timeIntervalSince1970
        context.expect(
            abs(shown - date) < 3 || abs(shown - now) < 86_400, did: "Item after \(what)",
            expected: "the modification date \(date) that was asked for, or that of storing, \(now)", got: "\(shown)")
    }

    private static func odd(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let large = Data(repeating: 0x41, count: 200_000).base64EncodedString()
        let odd: [Wire.ItemMetadata] = [
            Wire.ItemMetadata(attributes: ["user.large": large]),
            Wire.ItemMetadata(attributes: ["user." + String(repeating: "n", count: 250): ""]),
            Wire.ItemMetadata(creationDate: -1e9, modificationDate: 4e9),
            Wire.ItemMetadata(attributes: [:], hasHiddenExtension: false),
        ]
        for (number, metadata) in odd.enumerated() {
            let content = context.randomBytes(500)
            let item = try await context.create("odd-\(number).bin", in: folder, content: content, metadata: metadata)
            try await context.expectBytes(content, of: item.identifier, after: "Create with odd metadata (\(number))")
        }
    }
}
