import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostServices
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import Saving

/// Versions that are packed, as the services see them.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct VersionPackerTests {
    /// Nearly a megabyte of text; texts of the same seed differ in one line.
    private static func text(_ number: Int, seed: UInt64 = 1) -> String {
        var state = seed
        var bytes: [UInt8] = []
        for line in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = String(state, radix: 36)
            let words = line == (number + 1) * 2000 ? "changed \(number) " : ""
            bytes += Array("line \(line) \(digits) \(digits.reversed().map(String.init).joined()) \(words)\n".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func kept(_ host: TestHost, _ key: ItemKey) async throws -> [KeptVersion] {
        try await host.services.remote.kept.list(of: key)
    }

    private static func texts(_ host: TestHost, _ key: ItemKey) async throws -> Set<String> {
        var texts: Set<String> = []
        for version in try await kept(host, key) {
            texts.insert(try await host.services.remoteAdministrator.openVersion(version.id).file.text)
        }
        return texts
    }

    private static func save(
        _ host: TestHost, _ key: ItemKey, _ texts: [String], _ kind: TestProviderKind = .inPlace
    ) async throws {
        for text in texts {
            let operation = "save-\(try await kept(host, key).count)"
            try await host.client().save(key, text, operation: operation)
            try await TransferSupport.eventually { host.store(kind).text(key.identifier) == text }
            try await TransferSupport.eventually { try await host.client().state(operation) == "finished" }
        }
    }

    /// Packs until so many versions of a document are packed: the file of one that was just sent may be in use.
    private static func pack(_ host: TestHost, _ key: ItemKey, _ count: Int) async throws {
        try await TransferSupport.eventually {
            try await host.services.packer.pack(key)
            let packed = try await host.services.remote.kept.packable(of: key).filter {
                $0.stored.map { [size = $0.size] in $0 < size } ?? false
            }
            return packed.count == count
        }
        #expect(!host.services.packer.isBusy)
    }

    private static func used(_ host: TestHost) async throws -> Int64 {
        try await host.services.remote.kept.space().bytes + host.services.remote.parts.superseded.sharedBytes()
    }

    @Test(
        "V11: packed versions are read, restored, counted and thinned out like others",
        arguments: [TestProviderKind.inPlace, .remote])
    func packed(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host, kind)
            _ = try await host.client().read(key)
            let all = (0..<6).map { Self.text($0) }
            try await Self.save(host, key, all, kind)
            let expected = Set(["old"] + all.dropLast())
            let before = try await Self.used(host)
            #expect(try await Self.texts(host, key) == expected && before > 3 << 20)
            try await Self.pack(host, key, 5)
            let after = try await Self.used(host)
            #expect(try await Self.texts(host, key) == expected && after < before / 2)
            #expect(try await host.services.versionRules.rules(at: nil).usedBytes == Int(after))

            let client = host.client()
            let second = try #require(try await Self.kept(host, key).first { $0.size == Int64(all[1].utf8.count) })
            let (version, file) = try await host.services.versions.open(client.session, key, second.id)
            #expect(version.size == all[1].utf8.count && file.text.utf8.count == all[1].utf8.count)
            let restored = file.text
            _ = try await host.services.versions.restore(client.session, key, second.id, operation: "restore")
            try await TransferSupport.eventually { host.store(kind).text(key.identifier) == restored }

            _ = try await host.services.policies.set(VersionRule(.init(key), versions: 2))
            try await host.services.thinner.thin(key, ages: false)
            #expect(try await Self.kept(host, key).count == 2)
            #expect(try await Self.texts(host, key).isSubset(of: expected.union(all)))
            #expect(try await Self.used(host) < after + 2 << 20)
            _ = try await host.services.policies.set(VersionRule(.everything, space: 0))
            try await host.services.thinner.freeSpace()
            #expect(try await Self.kept(host, key).isEmpty)
            #expect(try await Self.used(host) == 0)
            #expect(host.files(in: "Versions").isEmpty && host.files(in: "Chunks").isEmpty)
        }
    }

    @Test("V11: space is freed until what is left really fits, and no version more than that goes")
    func space() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await Self.save(host, key, (0..<8).map { Self.text($0) })
            try await Self.pack(host, key, 7)
            // Counted by their sizes, nearly all of them would have to go.
            let limit = try await Self.used(host)
            _ = try await host.services.policies.set(VersionRule(.everything, space: limit))
            try await host.services.thinner.freeSpace()
            #expect(try await Self.kept(host, key).count == 8)
            _ = try await host.services.policies.set(VersionRule(.everything, space: limit - 1))
            try await host.services.thinner.freeSpace()
            #expect(try await Self.kept(host, key).count == 7)
            #expect(try await Self.used(host) < limit)
            _ = try await Self.texts(host, key)
        }
    }

    @Test("V11: another daemon reads what was packed; removing a version frees what only that one needs")
    func restarted() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let all = (0..<4).map { Self.text($0) }
            try await Self.save(host, key, all)
            // As if the daemon was killed before the database heard of it.
            try await Self.pack(host, key, 3)
            let version = try #require(try await host.services.remote.kept.packable(of: key).last)
            try await host.services.remote.kept.examined(version.id, stored: version.size)
            let before = try await Self.used(host) - version.size
            try await host.restarted { next async throws in
                #expect(try await Self.texts(next, key) == Set(["old"] + all.dropLast()))
                for kept in try await Self.kept(next, key).dropFirst(2) {
                    try await next.services.remoteAdministrator.removeVersion(kept.id)
                }
                #expect(try await Self.texts(next, key).count == 2)
                #expect(try await Self.used(next) < before)
                let files = next.files(in: "Versions")
                #expect(files.count == 2)
            }
        }
    }

    @Test("V11: a damaged version says so; the others are read")
    func damaged() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await Self.save(host, key, (0..<3).map { Self.text($0) })
            try await Self.pack(host, key, 2)
            for name in host.files(in: "Chunks") { try host.damage(name, in: "Chunks") }
            for version in try await Self.kept(host, key) {
                if version.size == 3 {
                    let opened = try await host.services.remoteAdministrator.openVersion(version.id)
                    #expect(opened.file.text == "old")
                    continue
                }
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.remoteAdministrator.openVersion(version.id)
                }
                #expect(failure?.code == .failed && failure?.message.contains("damaged") == true)
                // It can still be removed.
                try await host.services.remoteAdministrator.removeVersion(version.id)
            }
            #expect(try await Self.kept(host, key).count == 1 && host.files(in: "Chunks").isEmpty)
        }
    }

    @Test("V11: the only large version of a document stays whole, and so does one that shares nothing until one does")
    func whole() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let (first, second) = (Self.text(0, seed: 7), Self.text(0, seed: 8))
            try await Self.save(host, key, [first, second])
            await host.services.packer.packAll()
            #expect(host.files(in: "Chunks").isEmpty)
            try await Self.save(host, key, [Self.text(1, seed: 8)])
            let kept = host.services.remote.kept
            try await TransferSupport.eventually {
                await host.services.packer.packAll()
                return try await kept.packable(of: key).allSatisfy { $0.stored != nil }
            }
            #expect(host.files(in: "Chunks").isEmpty)
            let examined = try await kept.packable(of: key)
            #expect(examined.count == 2 && examined.allSatisfy { $0.stored == $0.size })
            #expect(try await kept.documentsToPack(after: nil, limit: 5).isEmpty)
            // The next version is like the second.
            try await Self.save(host, key, [first])
            try await TransferSupport.eventually {
                await host.services.packer.packAll()
                return try await kept.packable(of: key).allSatisfy { $0.stored != nil }
            }
            let packed = try await kept.packable(of: key)
            #expect(packed.map { $0.stored == $0.size } == [true, false, false])
            #expect(try await Self.texts(host, key) == ["old", first, second, Self.text(1, seed: 8)])
        }
    }

    @Test("V8: what a killed thinning leaves of a packed version is removed with its chunks")
    func strays() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await Self.save(host, key, (0..<3).map { Self.text($0) })
            try await Self.pack(host, key, 2)
            let ids = try await host.services.remote.kept.packable(of: key).map(\.id)
            try await host.services.remote.kept.remove(ids)
            try await host.services.thinner.removeStrays()
            #expect(host.files(in: "Chunks").isEmpty && host.files(in: "Versions").count == 1)
            #expect(try await Self.texts(host, key) == ["old"])
        }
    }

    @Test("V5: a confined client reads a packed version, and gets a file that nobody else has")
    func confined() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let confined = Principal(kind: .flatpak, identifier: "org.example.Confined")
            try await host.grant(key, to: confined)
            let client = host.client(confined)
            for number in 0..<3 {
                try await client.save(key, Self.text(number), operation: "\(number)")
            }
            try await Self.pack(host, key, 2)
            let listed = try await host.services.versions.list(client.session, key).versions
            let versions = listed.filter { $0.isCurrent != true && $0.savedBy != nil }
            #expect(versions.count == 2)
            for version in versions {
                let opened = try await host.services.versions.open(client.session, key, version.identifier)
                #expect(opened.file.text.utf8.count == version.size)
                #expect(try FileStatus(of: opened.file.number).links == 0)
            }
        }
    }
}
