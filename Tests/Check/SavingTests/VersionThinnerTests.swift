import DaemonCore
import DocentTestSupport
import Foundation
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import Saving

/// Carrying out what thinning decides.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct VersionThinnerTests {
    /// Keeps versions as saves do, of these ages in days.
    private static func fill(
        _ host: TestHost, _ key: ItemKey, ages: [Double], _ reason: KeptVersion.Reason = .superseded
    ) async throws {
        let content = host.services.remote.parts.superseded
        let staging = try Directory(path: host.services.layout.stagingDirectory)
        let name = try FileName("source")
        if try staging.status(of: name) == nil { _ = try staging.create(name) }
        for age in ages {
            let operation = UUID().uuidString
            let kept = try #require(
                try content.store.keep(linkTo: name, in: staging, for: operation, .superseded))
            try await host.services.remote.kept.add(
                KeptVersion(
                    id: SupersededContent.identifier(operation), key: key, name: "a.txt", reason: reason, size: 10,
                    created: host.clock.date - age * 86_400, folder: kept.place.folder.text,
                    file: kept.place.file.text, operation: operation))
        }
    }

    private static func count(_ host: TestHost) async throws -> Int { try await host.services.remote.kept.list().count }

    @Test("V2: files go with their records, and unsettled conflicts stay")
    func files() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key("a")
            try await Self.fill(host, key, ages: (0..<60).map { 400 + Double($0) })
            try await Self.fill(host, key, ages: [500, 1000], .conflict)
            try await host.services.thinner.thin(key, ages: true)
            // The newest stays, however old.
            #expect(try await Self.count(host) == 3)
            #expect(host.files(in: "Versions").count == 3)
        }
    }

    @Test("V2: a rule about the number applies to its document alone")
    func number() async throws {
        try await TestHost.with { host in
            let (one, other) = (TestProviderKind.inPlace.key("a"), TestProviderKind.inPlace.key("b"))
            for key in [one, other] { try await Self.fill(host, key, ages: (0..<30).map { Double($0) / 1000 }) }
            _ = try await host.services.policies.set(VersionRule(.init(one), versions: 5))
            await host.services.thinner.thinAll()
            #expect(try await host.services.remote.kept.list(of: one).count == 5)
            #expect(try await host.services.remote.kept.list(of: other).count == 30)
        }
    }

    @Test("V2: all versions together take no more than their space")
    func space() async throws {
        try await TestHost.with { host in
            for name in ["a", "b", "c"] {
                try await Self.fill(host, TestProviderKind.inPlace.key(name), ages: (0..<20).map { Double($0) / 1000 })
            }
            _ = try await host.services.policies.set(VersionRule(.everything, space: 200))
            try await host.services.thinner.freeSpace()
            #expect(try await host.services.remote.kept.space() == (200, 20))
            for name in ["a", "b", "c"] {
                #expect(try await !host.services.remote.kept.list(of: TestProviderKind.inPlace.key(name)).isEmpty)
            }
            _ = try await host.services.policies.set(VersionRule(.everything, space: 0))
            try await host.services.thinner.freeSpace()
            #expect(try await Self.count(host) == 0 && host.files(in: "Versions").isEmpty)
        }
    }

    @Test("V2: all versions are gone through once a day, however often the daemon starts")
    func daily() {
        let now = Date(timeIntervalSince1970: 1_763_380_800)
        #expect(VersionThinner.pause(since: nil, at: now) == .seconds(30))
        #expect(VersionThinner.pause(since: now - 3600, at: now) == .seconds(23 * 3600))
        #expect(VersionThinner.pause(since: now - 90 * 86_400, at: now) == .seconds(30))
        #expect(VersionThinner.pause(since: now + 86_400, at: now) == .seconds(30))
    }

    @Test("V8: what a killed thinning or an unpublished save leaves is removed, and what a save still needs is not")
    func strays() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await Self.fill(host, key, ages: [0.01, 0.02])
            let first = try #require(try await host.services.remote.kept.list(of: key).first)
            // As after a kill between the record and the file.
            try await host.services.remote.kept.remove(first.id)
            let content = host.services.remote.parts.superseded
            let staging = try Directory(path: host.services.layout.stagingDirectory)
            _ = try content.store.keep(linkTo: FileName("source"), in: staging, for: "never-begun", .superseded)
            try await host.client().begin(key, "new", operation: "open")
            let open = try #require(try await host.services.journal.outcome("open", writer))
            try await host.services.writes.keeper.prepare(open, key)
            #expect(host.files(in: "Versions").count == 4)
            try await content.unrecorded.withUnrecorded("never-begun") {
                try await host.services.thinner.removeStrays()
            }
            #expect(host.files(in: "Versions").count == 3)
            try await host.services.thinner.removeStrays()
            #expect(host.files(in: "Versions").count == 2)
            try await host.client().commit("open")
            #expect(try await Self.count(host) == 2)
        }
    }

    @Test("V2, V8: thousands of versions of one document go with their files, also after an interruption")
    func thousands() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key("a")
            try await Self.fill(host, key, ages: (0..<1500).map { Double($0) / 100_000 })
            let running = Task { try await host.services.thinner.thin(key, ages: true) }
            // A kill between two steps, or none at all if it is over by then.
            try await TransferSupport.eventually { try await Self.count(host) < 1500 }
            running.cancel()
            _ = await running.result
            try await host.restarted { next async throws in
                try await next.services.thinner.thin(key, ages: true)
                try await next.services.thinner.removeStrays()
                #expect(try await Self.count(next) == 100)
                #expect(next.files(in: "Versions").count == 100)
                #expect(try await next.services.remote.kept.space() == (1000, 100))
            }
        }
    }

    @Test("V2: where the clock is suddenly wrong by years, nothing goes because of its age, and no conflict ever")
    func wrongClock() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key("a")
            try await Self.fill(host, key, ages: (0..<50).map { 400 + Double($0) })
            try await Self.fill(host, key, ages: [3000], .conflict)
            // It was right when versions were last thinned, and now shows a moment ten years later or earlier.
            for years in [10.0, -10] {
                try await host.services.remote.kept.set(
                    VersionClock(trusted: host.clock.date - years * 365 * 86_400))
                await host.services.thinner.thinAll()
                #expect(try await Self.count(host) == 51, "\(years)")
            }
            // Right again.
            try await host.services.remote.kept.set(VersionClock(trusted: host.clock.date - 86_400))
            await host.services.thinner.thinAll()
            #expect(try await Self.count(host) == 2)
            #expect(try await host.services.remote.kept.conflicts(of: key).count == 1)
        }
    }
}
