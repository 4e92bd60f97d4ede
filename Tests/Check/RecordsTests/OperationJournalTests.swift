import Foundation
import HostTesting
import Records
import Rights
import Testing

@Suite struct OperationJournalTests {
    let directory: TemporaryDirectory
    let journal: OperationJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = OperationJournal(database: try HostDatabase(directory: directory.path))
    }

    func write(_ operation: String, by principal: Principal = writer, item: String = "a") -> OperationRequest {
        OperationRequest(write: document(item), operation: operation, principal: principal, baseVersion: "v1")
    }

    @Test("W: a write goes through its steps, and each step can be repeated")
    func write() async throws {
        let begun = try await journal.begin(write("op"))
        #expect(begun.state == .open)
        for _ in 0..<2 {
            #expect(try await journal.begin(write("op")).id == begun.id)
            let staged = try await journal.staged(begun.id, digest: "d", size: 3, baseVersion: "v1")
            #expect(staged.state == .staged && staged.digest == "d" && staged.size == 3)
        }
        #expect(try await journal.unsent(of: document("a")).map(\.id) == [begun.id])
        for _ in 0..<2 {
            let published = try await journal.published(begun.id, item: "a")
            #expect(published.state == .published && published.itemVersion == 1 && published.needsUpload)
        }
        #expect(try await journal.version(of: document("a")) == 1)
        for _ in 0..<2 { #expect(try await journal.uploaded(begun.id).state == .uploaded) }
        // Repeating an early step after a crash does not go back.
        #expect(try await journal.staged(begun.id, digest: "d", size: 3, baseVersion: "v1").state == .uploaded)
        #expect(try await journal.unsent(of: document("a")).isEmpty)
        #expect(try await journal.pending().map(\.id) == [begun.id])
        for _ in 0..<2 { #expect(try await journal.finished(begun.id).state == .finished) }
        #expect(try await journal.pending().isEmpty)
        #expect(try await journal.outcome("op", writer)?.state == .finished)
    }

    @Test("W: a principal's operation is unknown to every other principal, which may use the same name")
    func principals() async throws {
        let first = try await journal.begin(write("op"))
        let same = Principal(kind: .unconfined, identifier: writer.identifier)
        #expect(try await journal.outcome("op", same) == nil)
        let second = try await journal.begin(write("op", by: same))
        #expect(second.id != first.id)
        #expect(!second.id.contains("/"))
        #expect(try await journal.outcome("never", writer) == nil)
    }

    @Test("W: the same name for another operation is refused")
    func mismatch() async throws {
        _ = try await journal.begin(write("op"))
        await #expect(throws: JournalError.differentOperation) {
            _ = try await journal.begin(write("op", item: "b"))
        }
        await #expect(throws: JournalError.differentOperation) {
            _ = try await journal.begin(
                OperationRequest(create: "x", in: document("f"), operation: "op", principal: writer))
        }
    }

    @Test("W5: other content under a committed operation is refused")
    func otherContent() async throws {
        let operation = try await journal.begin(write("op"))
        try await journal.staged(operation.id, digest: "d", size: 3, baseVersion: "v1")
        await #expect(throws: JournalError.differentContent) {
            try await journal.staged(operation.id, digest: "e", size: 3, baseVersion: "v1")
        }
    }

    @Test("W: a step out of order is refused and changes nothing")
    func order() async throws {
        let operation = try await journal.begin(write("op"))
        let id = operation.id
        await #expect(throws: JournalError.outOfOrder(from: .open, to: .published)) {
            try await journal.published(id, item: "a")
        }
        await #expect(throws: JournalError.outOfOrder(from: .open, to: .uploaded)) { try await journal.uploaded(id) }
        await #expect(throws: JournalError.outOfOrder(from: .open, to: .finished)) { try await journal.finished(id) }
        try await journal.staged(id, digest: "d", size: 1, baseVersion: nil)
        // After the commit point it cannot be abandoned.
        await #expect(throws: JournalError.outOfOrder(from: .staged, to: .abandoned)) {
            try await journal.abandoned(id, reason: "")
        }
        await #expect(throws: JournalError.outOfOrder(from: .staged, to: .recovered)) {
            try await journal.recovered(id, reason: "")
        }
        await #expect(throws: JournalError.unknownOperation) { try await journal.finished("none") }
        #expect(try await journal.operation(id)?.state == .staged)
        #expect(try await journal.version(of: document("a")) == 0)
    }

    @Test("W: a move waits for its source, whether the upload is confirmed before or after", arguments: [true, false])
    func move(uploadFirst: Bool) async throws {
        let request = OperationRequest(
            create: "new.txt", in: document("folder"), operation: "op", principal: writer, source: "old.txt 17")
        let operation = try await journal.begin(request)
        #expect(operation.kind == .move && operation.itemKey == nil)
        let id = operation.id
        try await journal.staged(id, digest: "d", size: 1, baseVersion: nil)
        let published = try await journal.published(id, item: "n")
        #expect(published.state == .moveSourcePending && published.itemKey == document("n") && published.needsUpload)
        if uploadFirst {
            let uploaded = try await journal.uploaded(id)
            #expect(uploaded.state == .moveSourcePending && !uploaded.needsUpload)
            await #expect(throws: JournalError.self) { try await journal.finished(id) }
            for _ in 0..<2 { #expect(try await journal.moveSourceFinished(id).state == .uploaded) }
        } else {
            for _ in 0..<2 { #expect(try await journal.moveSourceFinished(id).state == .published) }
            #expect(try await journal.unsent(of: document("n")).map(\.id) == [id])
            #expect(try await journal.uploaded(id).state == .uploaded)
        }
        let finished = try await journal.finished(id)
        #expect(finished.source == "old.txt 17" && finished.sourceFinished != nil)
    }

    @Test("Law 6: a failed upload keeps its data, waits for the user, and resumes where it failed")
    func failure() async throws {
        let id = try await journal.begin(write("op")).id
        try await journal.staged(id, digest: "d", size: 1, baseVersion: "v1")
        try await journal.published(id, item: "a")
        let failed = try await journal.failed(id, reason: "conflict")
        #expect(failed.state == .failed && failed.reason == "conflict" && failed.failedFrom == .published)
        #expect(try await journal.pending().isEmpty)
        #expect(try await journal.failures().map(\.id) == [id])
        #expect(try await journal.unsent(of: document("a")).map(\.id) == [id])
        #expect(try await journal.prune(before: .distantFuture) == 0)
        let again = try await journal.retried(id)
        #expect(again.state == .published && again.reason == nil)
        #expect(try await journal.uploaded(id).state == .uploaded)
    }

    @Test("W0: a session that dies uncommitted is kept or discarded, not published")
    func givingUp() async throws {
        let kept = try await journal.begin(write("kept")).id
        let discarded = try await journal.begin(write("discarded")).id
        #expect(try await journal.recovered(kept, reason: "session ended").state == .recovered)
        #expect(try await journal.abandoned(discarded, reason: "cancelled").state == .abandoned)
        await #expect(throws: JournalError.self) {
            try await journal.staged(kept, digest: "d", size: 1, baseVersion: nil)
        }
        #expect(try await journal.pending().isEmpty)
    }

    @Test("W: pruning deletes only what is final and old")
    func pruning() async throws {
        let day = Date(timeIntervalSince1970: 1_800_000_000)
        let old = try await journal.begin(write("old"), at: day).id
        try await journal.abandoned(old, reason: "", at: day)
        let recent = try await journal.begin(write("recent"), at: day).id
        try await journal.abandoned(recent, reason: "", at: day + 86400)
        _ = try await journal.begin(write("open"), at: day)
        #expect(try await journal.prune(before: day + 3600) == 1)
        #expect(try await journal.outcome("old", writer) == nil)
        #expect(try await journal.outcome("recent", writer) != nil)
        #expect(try await journal.outcome("open", writer) != nil)
    }
}
