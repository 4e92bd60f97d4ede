import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import HostCore
import HostServices
import HostTesting
import Records
import Rights
import Storage
import Testing

@testable import Saving

/// Clients that turn documents into noise, as a program does that encrypts them.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct NoiseLimiterTests {
    private static let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
    private static let environment = ["DOCENT_CHANGE_LIMIT": "1000"]
    private static let letter = String(repeating: "A letter to somebody, as people write it.\n", count: 100)

    private static func noise(_ seed: UInt64) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// - Returns: whether the save was made; otherwise it was held.
    private static func save(
        _ host: TestHost, _ key: ItemKey, _ bytes: [UInt8], _ operation: String, as principal: Principal = writer
    ) async throws -> Bool {
        let session = host.session(principal)
        let file = try await host.services.writes.begin(session, key, replacing: true, operation: operation).file
        let written = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
        #expect(written == bytes.count)
        do {
            _ = try await host.services.writes.commit(session, operation)
            return true
        } catch let failure as Failure where failure.code == .held {
            return false
        }
    }

    private static func documents(
        _ host: TestHost, _ kind: TestProviderKind, _ count: Int, _ content: String
    ) async throws -> [ItemKey] {
        var keys: [ItemKey] = []
        for number in 0..<count {
            let key = kind.key(host.store(kind).add("\(number).txt", content))
            try await host.grant(key)
            // A remote content is here.
            _ = try await host.client().read(key)
            keys.append(key)
        }
        return keys
    }

    @Test(
        "V10: rewriting texts as noise is held after ten documents, and says so",
        arguments: [
            TestProviderKind.inPlace, .remote,
        ])
    func rewriting(_ kind: TestProviderKind) async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let keys = try await Self.documents(host, kind, 30, Self.letter)
            var saved = 0
            for (number, key) in keys.enumerated() {
                if try await Self.save(host, key, Self.noise(UInt64(number)), "o\(number)") { saved += 1 }
            }
            #expect(saved == ChangeLimiter.mostNoise)
            for key in keys.dropFirst(ChangeLimiter.mostNoise) {
                #expect(host.store(kind).text(key.identifier) == Self.letter)
            }
            let held = try await host.services.holds.list().clients
            #expect(held.map(\.client) == [writer.identifier] && held.first?.isNoise == true)
            #expect(held.first?.documents == ChangeLimiter.mostNoise + 1)
            // It stays so over a restart, and what was refused can be repeated once it is allowed.
            try await host.restarted { next in
                let again = try await next.services.holds.list().clients
                #expect(again.first?.isNoise == true)
                #expect(try await !Self.save(next, keys[29], Array("a text".utf8), "text"))
                _ = try await next.services.holds.allow(
                    .init(clientKind: writer.kind.rawValue, client: writer.identifier))
                for (number, key) in keys.dropFirst(20).enumerated() {
                    #expect(try await Self.save(next, key, Self.noise(1), "again\(number)"))
                }
            }
        }
    }

    @Test("V10: a refused save can be committed again when the client was allowed")
    func repeated() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let keys = try await Self.documents(host, .inPlace, 11, Self.letter)
            for number in 0..<10 { #expect(try await Self.save(host, keys[number], Self.noise(1), "o\(number)")) }
            let session = host.session()
            let noise = Self.noise(2)
            let file = try await host.services.writes.begin(session, keys[10], replacing: true, operation: "last").file
            #expect(noise.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) } == noise.count)
            let refused = await #expect(throws: Failure.self) {
                _ = try await host.services.writes.commit(session, "last")
            }
            #expect(refused?.code == .held)
            _ = try await host.services.holds.allow(
                .init(clientKind: writer.kind.rawValue, client: writer.identifier))
            let item = try await host.services.writes.commit(session, "last")
            #expect(item.size == noise.count)
        }
    }

    @Test("V10: documents that are compressed or encrypted by themselves, and new ones, are never held")
    func ordinary() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let keys = try await Self.documents(host, .inPlace, 40, Self.letter)
            for (number, key) in keys.enumerated() {
                let signature: [UInt8] = number % 2 == 0 ? [0x50, 0x4B, 0x03, 0x04] : [0xFF, 0xD8, 0xFF, 0xE0]
                for round in 0..<2 {
                    #expect(
                        try await Self.save(
                            host, key, signature + Self.noise(UInt64(round)), "o\(number)-\(round)"))
                }
            }
            for number in 0..<20 {
                let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("e\(number).gpg", ""))
                try await host.grant(key)
                for round in 0..<2 { #expect(try await Self.save(host, key, Self.noise(3), "g\(number)-\(round)")) }
            }
            // One text that is saved again and again is one document.
            for round in 0..<20 {
                let content = round % 2 == 0 ? Array(Self.letter.utf8) : Self.noise(5)
                let key = TestProviderKind.inPlace.key(
                    host.store(.inPlace).identifier("same.txt") ?? host.store(.inPlace).add("same.txt", Self.letter))
                if round == 0 { try await host.grant(key) }
                #expect(try await Self.save(host, key, content, "s\(round)"))
            }
            #expect(try await host.services.holds.list().clients.isEmpty)
        }
    }
}
