import Foundation
import HostTesting
import Testing

@testable import Records
@testable import Rights

@Suite struct SentVersionTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let index: ItemIndex

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        index = ItemIndex(database: database)
    }

    private func send(_ name: String, at seconds: Double, version: String = "E1") async throws {
        try await index.setLocal(remote(name), LocalCopy(name: name, version: "local-\(name)", size: 1))
        try await index.confirm(
            entry(name, version: version), of: remote(name), former: "local-\(name)", copy: "local-\(name)",
            at: Date(timeIntervalSince1970: seconds))
    }

    @Test("HAZARDS 5: the former version of a sent version survives a restart, and follows the document")
    func kept() async throws {
        _ = try await index.merge([entry("a")], provider: provider, domain: "work", at: .now)
        try await send("a", at: 1)
        try await send("a", at: 2, version: "E2")
        let again = ItemIndex(database: try HostDatabase(directory: directory.path))
        let sent = SentVersion(key: remote("a"), version: "E2", former: "local-a")
        #expect(try await again.sentVersions() == [sent])
        #expect(try await again.item(remote("a"))?.local?.version == "E2", "recorded together")
        try await index.rekey(remote("a"), to: entry("b"))
        #expect(try await index.sentVersions() == [SentVersion(key: remote("b"), version: "E2", former: "local-a")])
        try await index.removeDomain(provider: provider, domain: "work")
        #expect(try await index.sentVersions().isEmpty)
    }

    @Test("HAZARDS 5: a local copy with other content than the confirmed one keeps its version")
    func otherCopy() async throws {
        _ = try await index.merge([entry("a")], provider: provider, domain: "work", at: .now)
        try await index.setLocal(remote("a"), LocalCopy(name: "a", version: "local-later", size: 1))
        try await index.confirm(entry("a", version: "E1"), of: remote("a"), former: nil, copy: "local-a")
        let item = try #require(try await index.item(remote("a")))
        #expect(item.local?.version == "local-later" && item.description.version == "E1")
        #expect(try await index.sentVersions().isEmpty)
        try await index.confirm(entry("a", version: nil), of: remote("a"), former: "local-later", copy: "local-later")
        #expect(try await index.item(remote("a"))?.local?.version == nil, "a provider without versions")
        #expect(try await index.sentVersions().isEmpty)
    }

    @Test("Only the latest versions are kept")
    func bounded() async throws {
        for number in 0..<10 { try await send("\(number)", at: Double(number)) }
        #expect(try await index.sentVersions(most: 3).map(\.key) == ["7", "8", "9"].map(remote))
        #expect(try await index.sentVersions().count == 3)
    }
}
