import DocentInterfaces

/// The history of documents.
enum VersionsCases {
    private static let needs: Set<ProviderFeature> = [.write, .versions]

    static let all: [ValidationCase] = [
        ValidationCase(
            "versions.history", level: 1, needs: needs, abilities: [.direct], requirements: [.interface, .keeping],
            "Each earlier version of a document is listed once, without the current one, and has its content."
        ) { try await history($0) },
        ValidationCase(
            "versions.restore", level: 1, needs: needs, abilities: [.direct], requirements: [.interface, .overwriting],
            "An earlier version becomes the content of its document, unless that was changed meanwhile."
        ) { try await restore($0) },
        ValidationCase(
            "versions.refused", level: 2, needs: needs, abilities: [.direct], requirements: [.interface],
            "A missing document has no versions, and a version that does not exist is neither delivered nor restored."
        ) { try await refused($0) },
    ]

    /// A document that was changed several times.
    ///
    /// - Returns: the document, with its current content; and its earlier contents, each of another length.
    private static func changed(_ context: CaseContext) async throws -> (file: ModelFile, earlier: [[UInt8]]) {
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("history.bin", in: folder, count: 100)
        var earlier: [[UInt8]] = []
        for size in [200, 70_000, 30] {
            earlier.append(file.content)
            file.content = context.randomBytes(size)
            _ = try await context.modify(file.identifier, base: file.item.version, content: file.content)
            file.item = try await context.item(file.identifier)
        }
        return (file, earlier)
    }

    private static func history(_ context: CaseContext) async throws {
        let (file, earlier) = try await changed(context)
        let versions = try await context.listVersions(file.identifier)
        let did = "ListVersions after three changes"
        context.expect(
            Set(versions.map(\.identifier)).count == versions.count, did: did, expected: "each version once",
            got: "\(versions.count) versions with \(Set(versions.map(\.identifier)).count) identifiers")
        context.expect(
            versions.allSatisfy { (1...500).contains($0.identifier.utf8.count) }, did: did,
            expected: "identifiers of 1 to 500 bytes", got: "others")
        let current = versions.filter { version in
            version.version.map { known in file.item.version.map { CaseContext.isSame($0, known) } ?? false } ?? false
        }
        context.expect(
            current.isEmpty, did: did, expected: "only versions that are not the current one",
            got: "the current version")
        for version in versions.prefix(20) {
            let bytes = try await context.fetchVersion(version.identifier, of: file.identifier)
            let what = "FetchVersion of \(PlainText.quoted(version.identifier))"
            context.expect(
                version.size.map { $0 == bytes.count } ?? true, did: what,
                expected: "\(version.size ?? 0) bytes, as ListVersions said", got: "\(bytes.count) bytes")
            context.expect(
                earlier.contains(bytes), did: what, expected: "one of the contents that the document had",
                got: "\(bytes.count) other bytes")
        }
        try await context.expectContent(of: file, after: "FetchVersion", requirement: .keeping)
    }

    private static func restore(_ context: CaseContext) async throws {
        var (file, earlier) = try await changed(context)
        guard let version = try await context.listVersions(file.identifier).first else { return }
        let stale = file.item.version
        earlier.append(file.content)
        file.content = context.randomBytes(40)
        _ = try await context.modify(file.identifier, base: stale, content: file.content)
        try await context.expectRefusal(
            [.versionOutOfDate], did: "RestoreVersion in a document that was changed meanwhile",
            requirement: .overwriting
        ) {
            try await context.restoreVersion(version.identifier, of: file.identifier, base: stale)
        }
        try await context.expectContent(of: file, after: "a refused RestoreVersion", requirement: .overwriting)
        let wanted = try await context.fetchVersion(version.identifier, of: file.identifier)
        let now = try await context.item(file.identifier)
        let item = try await context.restoreVersion(version.identifier, of: file.identifier, base: now.version)
        context.expect(
            CaseContext.isSame(item.identifier, now.identifier) && CaseContext.isSame(item.name, now.name),
            did: "RestoreVersion", expected: "the same document under the same name",
            got: "\(PlainText.quoted(item.name)) with the identifier \(PlainText.quoted(item.identifier))")
        let changesVersion = item.version.map { version in
            now.version.map { !CaseContext.isSame($0, version) } ?? true
        }
        context.expect(
            changesVersion ?? true, did: "RestoreVersion", expected: "another version than before", got: "the same")
        file.item = item
        file.content = wanted
        try await context.expectContent(of: file, after: "RestoreVersion", requirement: .keeping)
    }

    private static func refused(_ context: CaseContext) async throws {
        let (file, _) = try await changed(context)
        _ = try await context.listVersions(file.identifier)
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "ListVersions of a missing item") {
            try await context.listVersions(nowhere)
        }
        try await context.expectRefusal([.noSuchItem], did: "FetchVersion of a version that does not exist") {
            try await context.fetchVersion(nowhere, of: file.identifier)
        }
        try await context.expectRefusal([.noSuchItem], did: "RestoreVersion of a version that does not exist") {
            try await context.restoreVersion(nowhere, of: file.identifier, base: file.item.version)
        }
        try await context.expectContent(of: file, after: "a refused RestoreVersion", requirement: .overwriting)
    }
}
