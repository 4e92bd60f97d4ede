import Foundation
import HostTesting
import Rights
import Testing

@Suite struct AuditLogTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
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

    @Test("I4: what Docent merges by itself is on disk at once, each with an entry of its own")
    func merges() async throws {
        let audit = AuditLog(database: database)
        for detail in ["one", "two"] {
            try await audit.recordMerged(document("a"), name: "a.txt", detail: detail, at: start)
        }
        let entries = try await AuditLog(database: try HostDatabase(directory: directory.path)).entries()
        #expect(entries.map(\.event) == [.merged, .merged] && entries.map(\.detail) == ["two", "one"])
        #expect(entries.allSatisfy { $0.principal.kind == .unknown && $0.access == .readWrite && $0.count == 1 })
        #expect(try await audit.names(of: [document("a")]) == [document("a"): "a.txt"])
    }

    @Test("I4: the first refusal of a kind in a minute is on disk at once; repeated ones are counted in the same entry")
    func refusals() async throws {
        let audit = AuditLog(database: database)
        let other = AuditLog(database: try HostDatabase(directory: directory.path))
        let stored = { try await other.entries(GrantFilter(principal: viewer), events: [.refused]).map(\.count) }
        try await audit.recordRefused(viewer, document("a"), .read, reason: "not granted", at: start)
        #expect(try await stored() == [1])
        for second in 1..<30 {
            try await audit.recordRefused(
                viewer, document("a"), .read, reason: "not granted", at: start + Double(second))
        }
        try await audit.recordRefused(viewer, document("a"), .read, reason: "quarantined", at: start + 30)
        try await audit.recordRefused(viewer, document("a"), .read, reason: "not granted", at: start + 60)
        let entries = try await other.entries(GrantFilter(principal: viewer), events: [.refused])
        #expect(entries.map(\.count) == [1, 1, 30])
        #expect(entries.last?.last == start + 29)
    }

    @Test("I4: concurrent refusals share a write, and each is on disk when its call returns")
    func concurrentRefusals() async throws {
        let audit = AuditLog(database: database)
        let other = AuditLog(database: try HostDatabase(directory: directory.path))
        let start = start
        let missing = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let item = document("\(number)")
                    try await audit.recordRefused(viewer, item, .read, reason: "", at: start)
                    return try await other.entries(GrantFilter(item: item)).isEmpty
                }
            }
            return try await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(missing == 0)
    }

    @Test("I4: a client that invents identifiers and a program that invents clients cannot fill the disk")
    func flood() async throws {
        let audit = AuditLog(database: database)
        for number in 0..<20_000 {
            try await audit.recordRefused(viewer, document("no such \(number)"), .read, reason: "", at: start)
        }
        try await audit.flush()
        var entries = try await audit.entries(events: [.refused], limit: 100_000)
        #expect(entries.count < 200)
        #expect(entries.reduce(0) { $0 + $1.count } == 20_000)
        #expect(entries.first?.item == AuditEntry.furtherItems)
        #expect(entries.first?.principal == viewer)
        for number in 0..<5_000 {
            let client = Principal(kind: .unconfined, identifier: "org.example.n\(number)")
            try await audit.recordRefused(client, document("a"), .read, reason: "", at: start)
        }
        try await audit.flush()
        entries = try await audit.entries(events: [.refused], limit: 100_000)
        #expect(entries.count < 2_200)
        #expect(entries.reduce(0) { $0 + $1.count } == 25_000)
        #expect(entries.first?.principal.identifier == AuditEntry.severalClients)
    }

    @Test("I4: an invented identifier of any length takes little space")
    func longIdentifier() async throws {
        let audit = AuditLog(database: database)
        try await audit.recordRefused(
            viewer, document(String(repeating: "é", count: 1 << 20)), .read, reason: "", at: start)
        #expect(try await audit.entries().allSatisfy { $0.item.identifier.utf8.count < 2_000 })
        #expect(try await audit.entries().count == 1)
    }

    @Test("I4: an invented identifier with a NUL is not recorded as another document")
    func nulIdentifier() async throws {
        let audit = AuditLog(database: database)
        try await audit.recordRefused(viewer, document("a\0b"), .read, reason: "", at: start)
        #expect(try await audit.entries().map(\.item.identifier) == ["a␀b"])
    }

    @Test("I4: an entry names the right and the process, and the last use of a right is recorded")
    func circumstances() async throws {
        let audit = AuditLog(database: database)
        audit.noteOpened(writer, document("a"), .read, grant: 7, process: 11, executable: "/usr/bin/a", at: start)
        audit.noteOpened(writer, document("a"), .read, grant: 8, process: 12, at: start + 1)
        audit.noteOpened(writer, document("b"), .read, grant: 7, at: start + 70)
        try await audit.flush()
        let entries = try await audit.entries()
        #expect(entries.map(\.grant) == [8, 7] || entries.map(\.grant) == [7, 8])
        let first = try #require(entries.first { $0.item == document("a") })
        #expect(first.count == 2)
        #expect(first.process == 12)
        #expect(first.executable == "/usr/bin/a")
        #expect(try await audit.lastUses(of: [7, 8, 9]) == [7: start + 70, 8: start + 1])
    }

    @Test("a download is recorded with the client that caused it; Docent's own downloads have no client")
    func downloads() async throws {
        let audit = AuditLog(database: database)
        audit.noteDownloaded(viewer, document("a"), detail: "opened for reading", process: 5, at: start)
        audit.noteDownloaded(nil, document("a"), detail: "pinned", at: start + 60)
        audit.noteDownloaded(nil, document("a"), detail: "pinned", at: start + 61)
        try await audit.flush()
        let entries = try await audit.entries(GrantFilter(item: document("a")), events: [.downloaded])
        #expect(entries.map(\.count) == [2, 1])
        #expect(entries.map(\.principal.kind) == [.unknown, viewer.kind])
        #expect(entries.map(\.detail) == ["pinned", "opened for reading"])
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

    @Test("I4: the background task writes regularly, and once more when it is cancelled")
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

    @Test("I4: one client's refusals displace neither another's nor changes of rights")
    func fairPruning() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(writer, document("a"), .read, origin: .cat, at: start)
        let audit = AuditLog(
            database: database, retention: AuditRetention(days: 1, counted: 30, countedOfClient: 10, rights: 100))
        try await audit.recordRefused(writer, document("b"), .read, reason: "", at: start)
        for minute in 0..<50 {
            try await audit.recordRefused(
                viewer, document("\(minute)"), .read, reason: "", at: start + Double(minute * 60))
        }
        try await audit.prune(at: start + 60)
        let left = try await audit.entries()
        #expect(left.count { $0.principal == viewer } == 10)
        #expect(left.contains { $0.event == .granted })
        #expect(left.contains { $0.event == .refused && $0.principal == writer })
        // All of them are one day too old by then.
        try await audit.prune(at: start + 3 * 24 * 3600)
        #expect(try await audit.entries().isEmpty)
    }

    @Test("DOCENT_AUDIT_DAYS is a number above 0", arguments: ["30": 30.0, "0.5": 0.5, "0": nil, "-1": nil, "x": nil])
    func days(text: String, days: Double?) {
        #expect(AuditRetention(environmentText: text)?.days == days)
    }
}
