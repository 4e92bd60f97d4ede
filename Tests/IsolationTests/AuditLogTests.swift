import Foundation
import Isolation
import Testing

@Suite struct AuditLogTests {
    let directory: TemporaryDirectory
    let database: IsolationDatabase
    let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        database = try IsolationDatabase(directory: directory.path)
    }

    @Test("I4: grants, widenings and revocations are audited with the change itself")
    func changes() async throws {
        let store = try await GrantStore(database: database)
        let audit = AuditLog(database: database)
        try await store.record(writer, document("a"), .read, origin: .cat, at: start)
        try await store.record(writer, document("a"), .readWrite, origin: .write, at: start + 1)
        try await store.record(writer, document("a"), .read, origin: .cat, at: start + 2)
        try await store.revoke(GrantFilter(principal: writer), at: start + 3)
        let entries = try await audit.entries()
        #expect(entries.map(\.event) == [.revoked, .granted, .granted])
        #expect(entries.map(\.detail) == ["", "write", "cat"])
        #expect(entries.map(\.access) == [.readWrite, .readWrite, .read])
        #expect(entries.map(\.first) == [start + 3, start + 1, start])
    }

    @Test("I4: a refusal is stored at once, and like ones of a minute are one entry")
    func refusals() async throws {
        let audit = AuditLog(database: database)
        for second in 0..<30 {
            try await audit.recordRefused(
                viewer, document("a"), .read, reason: "not granted", at: start + Double(second))
        }
        try await audit.recordRefused(viewer, document("a"), .read, reason: "not granted", at: start + 60)
        try await audit.recordRefused(viewer, document("a"), .read, reason: "quarantined", at: start)
        let other = AuditLog(database: try IsolationDatabase(directory: directory.path))
        let entries = try await other.entries(GrantFilter(principal: viewer), events: [.refused])
        #expect(entries.map(\.count) == [1, 1, 30])
        #expect(entries.last?.last == start + 29)
    }

    @Test("I4: allowed opens are counted per principal, item and minute, and written together")
    func opens() async throws {
        let audit = AuditLog(database: database)
        for second in 0..<90 { audit.noteOpened(writer, document("a"), .read, at: start + Double(second)) }
        audit.noteOpened(writer, document("b"), .read, at: start)
        #expect(try await audit.entries().isEmpty)
        try await audit.flush()
        audit.noteOpened(writer, document("a"), .read, at: start + 5)
        try await audit.flush()
        try await audit.flush()
        let entries = try await audit.entries(GrantFilter(item: document("a")))
        #expect(entries.map(\.count).sorted() == [30, 61])
        #expect(try await audit.entries(limit: 1).count == 1)
        #expect(try await audit.entries(since: start + 59.5).count == 1)
        #expect(try await audit.entries(events: [.granted]).isEmpty)
    }

    @Test("I4: the running task writes by itself, and once more when it is cancelled")
    func running() async throws {
        let audit = AuditLog(database: database)
        let task = Task { await audit.run() }
        audit.noteOpened(writer, document("a"), .read)
        let deadline = Date.now + 60
        while try await audit.entries().isEmpty, Date.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try await audit.entries().count == 1)
        audit.noteOpened(writer, document("b"), .read)
        task.cancel()
        await task.value
        #expect(try await audit.entries().count == 2)
    }

    @Test("I4: counts that could not be written are kept")
    func failure() async throws {
        let audit = AuditLog(database: database)
        audit.noteOpened(writer, document("a"), .read, at: start)
        try database.close()
        await #expect(throws: (any Error).self) { try await audit.flush() }
        await #expect(throws: (any Error).self) { try await audit.flush() }
    }

    @Test("I4: pruning keeps the newest entries")
    func pruning() async throws {
        let audit = AuditLog(database: database)
        for minute in 0..<10 {
            try await audit.recordRefused(
                viewer, document("\(minute)"), .read, reason: "", at: start + Double(minute * 60))
        }
        #expect(try await audit.prune(before: start + 120) == 2)
        #expect(try await audit.prune(before: start, keeping: 3) == 5)
        #expect(try await audit.entries().map(\.item.identifier) == ["9", "8", "7"])
    }
}
