import DocentTestSupport
import Foundation
import Records
import Rights
import Storage
import Testing

@testable import RemoteDocuments

/// kill -9 after every local step of a save: staged, journaled, published, recorded.
///
/// `DurabilityWriteTests` and `RemoteKillStepTests` do the same with a whole daemon, its provider and its server.
@Suite(.mayBlock) struct StagedContentCrashTests {
    private static let old = [UInt8](repeating: 0x6F, count: 300_000)
    static let new = [UInt8](repeating: 0x6E, count: 400_000)
    private static let steps: [WriteStep] = [
        .opened, .frozen, .durable, .linked, .committed, .renamed, .recorded, .uploadRecorded, .uploaded,
    ]

    /// A data directory with the journal and the files of one document.
    struct World {
        static let key = ItemKey(provider: "org.example.Remote", domain: "work", identifier: "item")
        let layout: StorageLayout
        let journal: OperationJournal
        let staged: StagedContent
        let crash: CrashPoint
        private let store: MaterialisedStore

        init(_ root: String, crash: @escaping CrashPoint = { _ in }) throws {
            layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
            try layout.prepare()
            journal = OperationJournal(database: try HostDatabase(directory: layout.dataDirectory.text))
            staged = StagedContent(layout: layout, worker: BlockingWorker(), crashPoint: crash)
            self.crash = crash
            _ = try layout.prepareCopies(provider: Self.key.provider, domain: Self.key.domain)
            store = MaterialisedStore(container: layout.copies(provider: Self.key.provider, domain: Self.key.domain))
        }

        private var place: ItemPlace { store.place(for: Self.key.identifier, name: Array("report.txt".utf8)) }

        func content() throws -> [UInt8]? {
            guard let file = try store.open(place) else { return nil }
            return Array(
                try FileHandle(fileDescriptor: file.number, closeOnDealloc: false).readToEnd() ?? Data())
        }

        /// Steps 1 to 5.
        func commit(_ content: [UInt8]) async throws -> JournaledOperation {
            let row = try await journal.begin(
                OperationRequest(
                    write: Self.key, operation: "op", principal: Principal(kind: .unconfined, identifier: "org.test"),
                    baseVersion: nil, name: "report.txt"))
            let session = try await staged.begin(row, from: nil, expected: 0)
            let client = try session.makeClientDescriptor()
            try FileHandle(fileDescriptor: client.number, closeOnDealloc: false).write(contentsOf: Data(content))
            let frozen = try await staged.freeze(session)
            let committed = try await journal.staged(
                row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: nil)
            crash(.committed)
            return committed
        }

        /// Steps 6 and 7, and 9 where a server confirms at once. Can be repeated.
        func publish(_ row: JournaledOperation) async throws {
            if row.state == .staged {
                try await staged.requireIntact(row)
                _ = try store.publishLink(
                    FileName(row.id), in: Directory(path: layout.uploadsDirectory), for: Self.key.identifier, at: place,
                    staging: Directory(path: layout.stagingDirectory))
                crash(.renamed)
                _ = try await journal.published(row.id, item: Self.key.identifier)
                crash(.recorded)
            }
            if row.uploaded == nil { _ = try await journal.uploaded(row.id, version: "2") }
            crash(.uploadRecorded)
            await staged.remove(row.id)
            if try await journal.operation(row.id)?.state == .uploaded { _ = try await journal.finished(row.id) }
            crash(.uploaded)
        }

        /// The recovery by the next daemon; returns the sizes of the recovered versions that it has kept.
        func recover() async throws -> [UInt64] {
            var kept: [UInt64] = []
            for row in try await journal.pending() {
                if row.state == .open {
                    let version = await staged.recover(row, as: .recovered)
                    if let version { kept.append(version.size) }
                    _ = try await journal.recovered(row.id, reason: "the daemon ended")
                } else {
                    try await publish(row)
                }
            }
            await staged.removeOrphans(known: Set(try await journal.pending().map(\.id)))
            return kept
        }

        func leftovers() throws -> [String] {
            try [layout.stagingDirectory, layout.uploadsDirectory]
                .flatMap { try Directory(path: $0).names().map(\.description) }
        }
    }

    private static func dying(at step: String) -> CrashPoint { { if $0.rawValue == step { kill(getpid(), SIGKILL) } } }

    static func saveAndDie(_ root: String, step: String) async throws {
        let world = try World(root, crash: dying(at: step))
        try await world.publish(world.commit(new))
    }

    static func recoverAndDie(_ root: String, step: String) async throws {
        _ = try await World(root, crash: dying(at: step)).recover()
    }

    private static func withRoot(_ body: (String) async throws -> Void) async throws {
        let root = NSTemporaryDirectory() + "docent-crash-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try await body(root)
    }

    @Test(
        "law 6: after a kill at any step the document is old or new, and a second recovery changes nothing",
        arguments: steps, [true, false])
    func killed(_ step: WriteStep, replaces: Bool) async throws {
        try await Self.withRoot { root in
            if replaces {
                let world = try World(root)
                try await world.publish(world.commit(Self.old))
                // A new save follows.
                _ = try await world.journal.prune(before: .distantFuture)
            }
            let before = replaces ? Self.old : nil
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [root = root as String, step = step.rawValue as String] in
                try await StagedContentCrashTests.saveAndDie(root, step: step)
            }
            let isCommitted = [.committed, .renamed, .recorded, .uploadRecorded, .uploaded].contains(step)
            let seen = try World(root).content()
            #expect(seen == before || isCommitted && seen == Self.new)
            if step == .committed {
                // Recovery itself is killed halfway.
                for inner in [WriteStep.renamed, .recorded, .uploadRecorded] {
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [root = root as String, inner = inner.rawValue as String] in
                        try await StagedContentCrashTests.recoverAndDie(root, step: inner)
                    }
                }
            }
            var kept: [UInt64] = []
            for _ in 0..<2 {
                let world = try World(root)
                kept += try await world.recover()
                #expect(try world.content() == (isCommitted ? Self.new : before))
                #expect(try world.leftovers().isEmpty)
                #expect(try await world.journal.pending().isEmpty)
            }
            // Killed at the first step, the session had no content yet.
            #expect(kept == (isCommitted || step == .opened ? [] : [UInt64(Self.new.count)]))
        }
    }

    @Test("W: committed content that has been damaged since is not published")
    func damaged() async throws {
        try await Self.withRoot { root in
            let world = try World(root)
            let row = try await world.commit(Self.new)
            let path = "\(world.layout.uploadsDirectory)/\(row.id)"
            try FileManager.default.removeItem(atPath: path)
            try Data("junk".utf8).write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: FileSystemError.self) { try await world.publish(row) }
            #expect(error?.code == .corrupt)
            #expect(try world.content() == nil)
            #expect(try await world.journal.operation(row.id)?.state == .staged)
        }
    }
}
