import DocentInterfaces
import Foundation
import Glibc
import Logging
import Records
import Rights
import Storage
import Testing

@testable import DaemonCore
@testable import HostCore

/// T4: the limits on a principal's waiting calls, and the reserve for administration. Also the pruning of old records.
@Suite struct CallLimitTests {
    private static let call = DocumentsInterface.name + ".Open"

    @Test("T4: 64 calls of a principal wait; administration and others count separately; a call that ends makes room")
    func waiting() throws {
        let calls = WaitingCalls()
        let one = Principal(kind: .run, identifier: "one")
        let ends = try (0..<WaitingCalls.limit).map { _ in try calls.begin(one, method: Self.call) }
        #expect { try calls.begin(one, method: Self.call) } throws: { ($0 as? Failure)?.code == .unavailable }
        let administration = try calls.begin(one, method: AdministrationInterface.name + ".ListForClient")
        let others = try [
            calls.begin(Principal(kind: .run, identifier: "other"), method: Self.call),
            calls.begin(Principal(kind: .unconfined, identifier: "one"), method: Self.call),
        ]
        #expect(calls.count(one) == WaitingCalls.limit)
        ends[0]()
        ends[1]()
        let last = try calls.begin(one, method: Self.call)
        for end in ends.dropFirst(2) + others + [last, administration] { end() }
        #expect(calls.count(one) == 0)
        // A parallel build may have two hundred at a time.
        let build = Principal(kind: .unconfined, identifier: "org.docent.cli")
        let many = try (0..<200).map { _ in try calls.begin(build, method: Self.call) }
        for end in many { end() }
    }

    @Test("T4: a tenth of the descriptors is reserved", arguments: [(1024, 922), (256, 231), (10, 9), (4, 3)])
    func reserve(limit: Int, threshold: CInt) {
        let reserve = DescriptorReserve(limit: limit)
        #expect(reserve.threshold == threshold)
        #expect(reserve.holds(threshold) && !reserve.holds(threshold - 1))
    }

    @Test("T4: in the reserve, only calls that may need descriptors are refused")
    func admitted() throws {
        let low = DescriptorReserve(limit: 2)
        #expect(low.isReached && !DescriptorReserve().isReached)
        for method in ["Documents.Open", "Documents.BeginWrite", "Documents.Unheard", "Picker.PickOpen"] {
            #expect(throws: Failure.self) { try low.admit("org.docent." + method) }
            try DescriptorReserve().admit("org.docent." + method)
        }
        for method in [
            "docent.Administration.Status", "docent.Documents.OpenSession", "docent.Documents.CommitWrite",
            "varlink.service.GetInfo",
        ] { try low.admit("org." + method) }
    }

    @Test("I4: old records are deleted, recent ones stay")
    func upkeep() async throws {
        let folder = "/tmp/docent-upkeep-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try HostDatabase(directory: folder)
        let (journal, audit) = (OperationJournal(database: database), AuditLog(database: database))
        let principal = Principal(kind: .unconfined, identifier: "a")
        let key = ItemKey(provider: "p", identifier: "1")
        let upkeep = Upkeep(journal: journal, audit: audit, logger: Logger(label: "test"))
        let then = Date(timeIntervalSince1970: 1_700_000_000)
        let open = try await journal.begin(
            OperationRequest(write: key, operation: "open", principal: principal, baseVersion: nil), at: then)
        let ended = try await journal.begin(
            OperationRequest(write: key, operation: "ended", principal: principal, baseVersion: nil), at: then)
        try await journal.abandoned(ended.id, reason: "test", at: then)
        try await audit.recordRefused(principal, key, .read, reason: "test", at: then)
        var pruned = await upkeep.prune(at: then + 29 * 24 * 3600)
        #expect(pruned == (0, 0))
        pruned = await upkeep.prune(at: then + 31 * 24 * 3600)
        #expect(pruned == (0, 1))
        pruned = await upkeep.prune(at: then + 181 * 24 * 3600)
        #expect(pruned == (1, 0))
        #expect(try await journal.operation(open.id)?.state == .open)
        try database.close()
    }
}
