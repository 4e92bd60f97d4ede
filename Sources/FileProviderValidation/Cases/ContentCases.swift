import DocentInterfaces

/// Whether the facts about a document match its content.
enum ContentCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "content.facts", level: 2, requirements: [.interface],
            "The reported size and version of a document match the content that is delivered."
        ) { try await facts($0) }
    ]

    private static func facts(_ context: CaseContext) async throws {
        var documents = try await context.walk(limit: 30).filter { !$0.isFolder && $0.symbolicLinkTarget == nil }
        if context.has(.write) { documents.append(try await context.makeFile(count: 5_000).item) }
        documents = documents.filter { ($0.size ?? 0) < 16 << 20 }.suffix(8)
        guard !documents.isEmpty else { try context.skip("there is no document") }
        for document in documents {
            let did = "Reading \(PlainText.quoted(document.name))"
            // Others may change the document meanwhile: only one that is the same before and after counts.
            let before = try await context.item(document.identifier)
            let (bytes, told) = try await content(of: document.identifier, context)
            let after = try await context.item(document.identifier)
            guard before.version == after.version, before.size == after.size else { continue }
            context.expect(
                before.size == nil || before.size == bytes, did: did,
                expected: "\(before.size ?? 0) bytes, as its item says",
                got: "\(bytes) bytes")
            guard let told else { continue }
            context.expect(
                told.identifier == before.identifier && told.version == before.version && told.size == before.size,
                did: did, expected: "in the reply " + PlainText.item(before), got: PlainText.item(told))
        }
    }

    /// The number of bytes that arrive, and the item that comes with them.
    private static func content(of identifier: String, _ context: CaseContext) async throws -> (Int, Wire.ProviderItem?)
    {
        if context.has(.inPlace) {
            let opened = try await context.openInPlace(identifier)
            return (ContentFile.contents(of: opened.file.raw).count, opened.item)
        }
        if context.has(.classic) { return (try await context.provided(identifier).count, nil) }
        let (bytes, reply) = try await context.fetch(identifier)
        return (bytes.count, reply.item)
    }
}
