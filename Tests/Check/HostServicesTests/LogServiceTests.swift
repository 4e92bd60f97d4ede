import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import Rights
import Testing

@testable import HostServices

/// The audit log as the user reads it (I4).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct LogServiceTests {
    private static func entries(
        _ host: TestHost, refused: Bool? = nil, limit: Int? = nil
    ) async throws -> [Wire.LogEntry] {
        let question = try await host.services.log.question(.init(refused: refused, limit: limit))
        return try await host.services.log.entries(question)
    }

    @Test("I4: rights and the log show names after a restart, also for rights that were revoked")
    func namesAfterRestart() async throws {
        try await TestHost.with { host in
            let grants = host.services.grants
            for name in ["kept.txt", "gone.txt"] {
                host.store(.inPlace).add(name, "hello")
                let offer = try GrantTerms.offer(
                    "readWrite", .administration, persist: true, expires: nil, companions: nil)
                _ = try await grants.add(viewer, TestProviderKind.inPlace.place("/" + name), offer)
            }
            let gone = try await grants.filter(
                client: nil, kind: nil, provider: nil, location: TestProviderKind.inPlace.place("/gone.txt"),
                olderThan: nil, id: nil)
            #expect(try await grants.revoke(gone).revoked == 1)
            try await host.restarted { next async throws in
                let rights = try await next.services.grants.list(GrantFilter(), page: nil).grants
                #expect(rights.map(\.name) == ["kept.txt"])
                let entries = try await Self.entries(next)
                #expect(entries.filter { $0.name == "kept.txt" }.map(\.event) == ["granted"])
                #expect(entries.filter { $0.name == "gone.txt" }.map(\.event) == ["revoked", "granted"])
            }
        }
    }

    @Test("the log names a program that a view has stopped, and its limit")
    func limit() async throws {
        try await TestHost.with { host in
            let session = host.session(viewer)
            for _ in 0..<2 {
                try await host.services.log.noteLimit(
                    session, .init(path: "/usr/bin/grep", process: 77), documentsPerMinute: 200)
            }
            try await host.services.log.noteLimit(
                session, .init(path: String(repeating: "a", count: 5_000), process: 1), documentsPerMinute: 5)
            await #expect(throws: Failure.self) {
                try await host.services.log.noteLimit(session, nil, documentsPerMinute: -1)
            }
            let entries = try await Self.entries(host, refused: true)
            let detail = "nothing is downloaded for /usr/bin/grep: it asked for more than 200 documents within a minute"
            let grep = entries.filter { $0.detail == detail }
            // A minute may have passed between the two.
            #expect(grep.reduce(0) { $0 + $1.count } == 2)
            #expect(grep.allSatisfy { $0.client == viewer.identifier && $0.process == 77 && $0.provider.isEmpty })
            #expect(entries.filter { $0.detail.contains("for a program: it asked for more than 5 ") }.count == 1)
        }
    }

    @Test("I4: a client that invents 3,000 identifiers leaves a bounded log with the total count")
    func flood() async throws {
        try await TestHost.with { host in
            let session = host.session(viewer)
            for number in 0..<3_000 {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.documents.info(
                        session, TestProviderKind.inPlace.key("invented \(number)"))
                }
                try #require(failure?.code == .notPermitted)
            }
            let entries = try await Self.entries(host, refused: true, limit: 10_000)
            // A minute may pass meanwhile, on a loaded machine several.
            #expect(entries.count < 1_000, "\(entries.count)")
            #expect(entries.reduce(0) { $0 + $1.count } == 3_000)
            #expect(entries.contains { $0.detail == "further documents" })
        }
    }
}
