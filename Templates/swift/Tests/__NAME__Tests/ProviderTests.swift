import FileProvider
import Foundation
import Testing

@testable import @NAME@

/// What this provider promises beyond the general requirements, tested by calling it directly.
@Suite struct ProviderTests {
    private let storage = FileManager.default.temporaryDirectory.appending(path: "@NAME@-\(UUID().uuidString)").path

    private func provider() throws -> @NAME@Provider {
        try @NAME@Provider(
            domain: FileProviderDomain(identifier: "", displayName: "", documentStorage: storage),
            host: FileProviderHost())
    }

    private func reader(_ text: String) throws -> ContentReader {
        let file = storage + "/" + UUID().uuidString
        try Data(text.utf8).write(to: URL(filePath: file))
        return try ContentReader(owning: open(file, O_RDONLY | O_CLOEXEC))
    }

    @Test("What was saved is there under the same identifier after a restart")
    func restart() async throws {
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let before = try provider()
        let made = try await before.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: "a.txt"), contents: try reader("one"),
            operation: ChangeOperation(identifier: "1", digest: "one"))
        let after = try provider()
        #expect(try await after.item(for: made.identifier) == made)
    }

    @Test("An operation that is repeated is no second change")
    func repeated() async throws {
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let provider = try provider()
        let template = ItemTemplate(parent: .rootContainer, filename: "Folder", isFolder: true)
        let operation = ChangeOperation(identifier: "1")
        let first = try await provider.createItem(basedOn: template, contents: nil, operation: operation)
        #expect(try await provider.createItem(basedOn: template, contents: nil, operation: operation) == first)
    }

    @Test("A change that was based on an older version is refused, and nothing is overwritten")
    func conflict() async throws {
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let provider = try provider()
        let made = try await provider.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: "a.txt"), contents: try reader("one"),
            operation: ChangeOperation(identifier: "1", digest: "one"))
        let theirs = try await provider.modifyItem(
            made.identifier, baseVersion: made.version, contents: try reader("two"),
            operation: ChangeOperation(identifier: "2", digest: "two"))
        let ours = try reader("three")
        let error = await #expect(throws: FileProviderError.self) {
            _ = try await provider.modifyItem(
                made.identifier, baseVersion: made.version, contents: ours,
                operation: ChangeOperation(identifier: "3", digest: "three"))
        }
        #expect(error?.code == .versionOutOfDate)
        #expect(try await provider.item(for: made.identifier) == theirs.item)
    }
}
