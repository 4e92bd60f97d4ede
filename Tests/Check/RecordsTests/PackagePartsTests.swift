import Foundation
import HostTesting
import Records
import Rights
import Testing

/// The parts of a change of a package in the journal (N3).
@Suite struct PackagePartsTests {
    let directory: TemporaryDirectory
    let journal: OperationJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = OperationJournal(database: try HostDatabase(directory: directory.path))
    }

    private func begin() async throws -> JournaledOperation {
        var request = OperationRequest(
            write: document("package"), operation: "op", principal: writer, baseVersion: "package.1")
        request.kind = .package
        return try await journal.begin(request)
    }

    private func parts(_ id: String) -> [PackagePart] {
        [
            PackagePart(
                id: id + "-e1", item: "a", parent: "package", name: "a.txt", baseVersion: "1", digest: "d1", size: 1),
            PackagePart(
                id: id + "-e2", item: nil, parent: "package", name: "b.txt", baseVersion: nil, digest: "d2", size: 2),
        ]
    }

    @Test("N3, W: the parts of a package are recorded once, however often that is repeated")
    func records() async throws {
        let whole = try await begin()
        _ = try await journal.staged(whole.id, digest: "d", size: 3, baseVersion: whole.baseVersion)
        let first = try await journal.addParts(parts(whole.id), of: whole.id)
        #expect(first.map(\.kind) == [.write, .create])
        #expect(first.allSatisfy { $0.state == .staged && $0.package == whole.id && $0.principal == writer })
        _ = try await journal.published(first[0].id, item: "a")
        let again = try await journal.addParts(parts(whole.id), of: whole.id)
        #expect(again.map(\.state) == [.published, .staged], "a part that is further stays so")
        #expect(try await journal.unsentParts(of: whole.id).map(\.id) == first.map(\.id))
        _ = try await journal.uploaded(first[0].id)
        #expect(try await journal.unsentParts(of: whole.id).map(\.id) == [first[1].id])
    }

    @Test("W5: a package that is not committed has no parts")
    func refusesOpen() async throws {
        let whole = try await begin()
        await #expect(throws: JournalError.self) { try await journal.addParts(parts(whole.id), of: whole.id) }
        #expect(try await journal.unsentParts(of: whole.id).isEmpty)
    }
}
