import Foundation
import Testing

@testable import Records
@testable import RemoteDocuments
@testable import Rights

/// Which items keep their cached description while their package is replaced (HAZARDS 5).
@Suite struct ReplacedPackagesTests {
    private let folder: String
    private let index: ItemIndex
    private let journal: OperationJournal
    private let replaced: ReplacedPackages

    init() throws {
        folder = NSTemporaryDirectory() + "docent-replaced-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try HostDatabase(directory: folder)
        index = ItemIndex(database: database)
        journal = OperationJournal(database: database)
        replaced = ReplacedPackages(journal: journal)
    }

    private func add(_ identifier: String, in parent: String = ".root") async throws {
        var description = RemoteSample.description(identifier, isFolder: true)
        description.parent = parent
        _ = try await index.merge([description], provider: "org.example.Remote", domain: "work", at: .now)
    }

    private func save(of package: String) async throws -> JournaledOperation {
        var request = OperationRequest(
            write: RemoteSample.key(package), operation: UUID().uuidString,
            principal: Principal(kind: .unconfined, identifier: "org.example.Writer"), baseVersion: "package.1")
        request.kind = .package
        let begun = try await journal.begin(request)
        return try await journal.staged(begun.id, digest: "d", size: 1, baseVersion: "package.1")
    }

    private func contains(_ identifier: String) async throws -> Bool {
        try await replaced.contains(RemoteSample.key(identifier), in: index)
    }

    @Test("HAZARDS 5: a package being replaced counts with its folders until the operation ends; other items never")
    func covers() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, parent) in [("p", ".root"), ("assets", "p"), ("deep", "assets"), ("other", ".root")] {
            try await add(name, in: parent)
        }
        let (first, second) = (try await save(of: "p"), try await save(of: "p"))
        #expect(try await !contains("deep"))
        replaced.begin(first.id, of: RemoteSample.key("p"))
        replaced.begin(second.id, of: RemoteSample.key("p"))
        for name in ["p", "assets", "deep"] { #expect(try await contains(name), "\(name)") }
        for name in [".root", "other", "unknown"] { #expect(try await !contains(name), "\(name)") }
        replaced.end(first.id)
        #expect(try await contains("deep"), "the other operation has not ended")
        replaced.end(second.id)
        #expect(try await !contains("deep"))
        #expect(replaced.isEmpty)
    }

    @Test("HAZARDS 5: a change that has failed or ended blocks nothing, whoever ended it")
    func ends() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await add("p")
        let (failing, sent) = (try await save(of: "p"), try await save(of: "p"))
        for change in [failing, sent] { replaced.begin(change.id, of: RemoteSample.key("p")) }
        _ = try await journal.failed(failing.id, reason: "no room")
        #expect(try await contains("p"))
        _ = try await journal.published(sent.id, item: "p")
        _ = try await journal.uploaded(sent.id)
        #expect(try await !contains("p"))
        #expect(replaced.isEmpty)
    }
}
