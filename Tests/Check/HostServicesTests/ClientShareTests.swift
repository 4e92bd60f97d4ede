import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import Foundation
import HostCore
import HostTesting
import Rights
import Saving
import Storage
import Testing
import Varlink

@testable import HostServices

/// T4: what one client may keep on the disk: documents open for writing, their bytes, and copies.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ClientShareTests {
    private static let one = Principal(kind: .run, identifier: "org.example.one")
    private static let two = Principal(kind: .flatpak, identifier: "org.example.two")
    private static let free = Principal(kind: .unconfined, identifier: "org.example.free")

    /// Documents that all of them may write.
    private static func documents(_ host: TestHost, _ texts: String...) async throws -> [ItemKey] {
        var keys: [ItemKey] = []
        for (index, text) in texts.enumerated() {
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("\(index).txt", text))
            for principal in [one, two, free] { try await host.grant(key, to: principal) }
            keys.append(key)
        }
        return keys
    }

    private static func refusal(
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async -> Failure? {
        await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await call() }
    }

    @Test("The daemon's limits are those of the documents")
    func limits() {
        let limits = ContentLimits()
        #expect(limits.writes == PrincipalLimits.writes && limits.stagedBytes == PrincipalLimits.stagedBytes)
        #expect(limits.writes.confined == .init(each: 64, together: 512) && limits.writes.unconfined.each == 256)
        #expect(limits.stagedBytes.confined == .init(each: 8 << 30, together: 32 << 30))
        #expect(limits.copiedBytes.confined == .init(each: 1 << 30, together: 8 << 30))
    }

    @Test("T4: a client may have so many documents open for writing, in all its sessions; others keep their share")
    func writes() async throws {
        var limits = ContentLimits()
        limits.writes = ShareLimits(
            total: 5, unconfined: .init(each: 2, together: 4), confined: .init(each: 2, together: 3))
        try await TestHost.with(limits: limits) { host in
            let keys = try await Self.documents(host, "a", "b", "c")
            let (first, second) = (host.client(Self.one), host.client(Self.one))
            try await first.begin(keys[0], "1", operation: "first")
            try await second.begin(keys[1], "2", operation: "second")
            for client in [first, second] {
                let own = await Self.refusal { try await client.begin(keys[2], "3", operation: "third") }
                #expect(own?.code == .unavailable)
                #expect(
                    own?.message.hasSuffix("the maximum of 2 documents open for writing.") == true,
                    "\(own?.message ?? "")")
            }
            #expect(host.files(in: "Staging").count == 2, "a refused write leaves nothing behind")
            #expect(try await first.state("third") == "failed")
            let other = host.client(Self.two)
            try await other.begin(keys[2], "4", operation: "first")
            let kind = await Self.refusal { try await other.begin(keys[2], "5", operation: "second") }
            #expect(kind?.message.contains("together have the maximum of 3") == true, "\(kind?.message ?? "")")
            let unconfined = host.client(Self.free)
            try await unconfined.begin(keys[2], "6", operation: "first")
            try await unconfined.begin(keys[2], "7", operation: "second")
            let third = await Self.refusal { try await unconfined.begin(keys[2], "8", operation: "third") }
            #expect(third?.code == .unavailable)
            // One that ends in any way makes room.
            try await first.commit("first")
            try await first.begin(keys[2], "3", operation: "third")
            try await host.services.writes.abandon(second.session, "second")
            try await second.begin(keys[1], "2", operation: "fourth")
        }
    }

    @Test("T4: a session that was resumed after a restart counts like any other")
    func resumed() async throws {
        var limits = ContentLimits()
        limits.writes = ShareLimits(
            total: 4, unconfined: .init(each: 1, together: 2), confined: .init(each: 1, together: 2))
        limits.stagedBytes = ShareLimits(
            total: .max, unconfined: .init(each: .max, together: .max),
            confined: .init(each: 10_000, together: 8_000), admitsOneLarge: true)
        try await TestHost.with(limits: limits) { host in
            let keys = try await Self.documents(host, "a", "b")
            try await host.client(Self.one).begin(keys[0], String(repeating: "l", count: 20_000), operation: "first")
            try await host.restarted { next in
                let client = next.client(Self.one)
                _ = try await next.services.writes.begin(
                    client.session, keys[0], replacing: true, operation: "first")
                let own = await Self.refusal { try await client.begin(keys[1], "x", operation: "second") }
                #expect(own?.message.hasSuffix("the maximum of 1 documents open for writing.") == true)
                let other = next.client(Self.two)
                await Self.expectFull { try await other.begin(keys[1], "x", operation: "other") }
                try await client.commit("first")
                try await client.begin(keys[1], "x", operation: "third")
            }
        }
    }

    @Test("T4: packages that are open for writing count by themselves")
    func packages() async throws {
        var limits = ContentLimits()
        limits.writes = ShareLimits(
            total: 4, unconfined: .init(each: 1, together: 2), confined: .init(each: 1, together: 2))
        try await TestHost.with(limits: limits) { host in
            let document = try await Self.documents(host, "a")[0]
            var packages: [ItemKey] = []
            for name in ["a.rtfd", "b.rtfd"] {
                let folder = host.store(.remote).addFolder(name)
                host.store(.remote).add("TXT.rtf", "old", in: folder)
                let key = TestProviderKind.remote.key(folder)
                try await host.grant(key, to: Self.one)
                // A client that has chosen it has listed its folder.
                _ = try await host.services.hierarchy.location(key)
                packages.append(key)
            }
            let client = host.client(Self.one)
            func begin(_ package: ItemKey, _ operation: String) async throws {
                _ = try await host.services.packages.begin(
                    client.session, package, isReplacing: false, operation: operation, claim: nil)
            }
            try await client.begin(document, "1", operation: "document")
            try await begin(packages[0], "first")
            let refusal = await Self.refusal { try await begin(packages[1], "second") }
            #expect(refusal?.message.hasSuffix("the maximum of 1 packages open for writing.") == true)
            try await host.services.writes.abandon(client.session, "first")
            try await begin(packages[1], "second")
        }
    }

    @Test("T4: what a client has staged counts when it begins another write; a single one may be of any size")
    func stagedBytes() async throws {
        var limits = ContentLimits()
        limits.stagedBytes = ShareLimits(
            total: .max, unconfined: .init(each: .max, together: .max),
            confined: .init(each: 10_000, together: 15_000), admitsOneLarge: true)
        let (small, large) = (String(repeating: "s", count: 6_000), String(repeating: "l", count: 20_000))
        try await TestHost.with(limits: limits) { host in
            let keys = try await Self.documents(host, small, small, large)
            let client = host.client(Self.one)
            func begin(_ client: TestClient, _ key: ItemKey, _ operation: String) async throws -> OpenDescriptor {
                try await host.services.writes.begin(client.session, key, replacing: false, operation: operation).file
            }
            // The content that a write starts with counts as well.
            _ = try await begin(client, keys[0], "first")
            let own = await Self.refusal { _ = try await begin(client, keys[1], "second") }
            #expect(own?.code == .unavailable)
            #expect(
                own?.message.hasSuffix("the maximum of 10000 bytes staged for writing.") == true,
                "\(own?.message ?? "")")
            #expect(host.files(in: "Staging").count == 1)
            #expect(try await client.state("second") == "failed")
            try await host.services.writes.abandon(client.session, "first")
            // Alone it may be larger than the limit; after that, nothing more may begin.
            let file = try await begin(client, keys[2], "large")
            #expect(file.text == large)
            await Self.expectFull { try await client.begin(keys[0], "x", operation: "empty") }
            // A large file counts like a usual one for all confined clients together: another client may fill what is
            // left for them. What it writes itself counts.
            let other = host.client(Self.two)
            try await other.begin(keys[0], String(repeating: "o", count: 9_000), operation: "first")
            await Self.expectFull { try await other.begin(keys[1], "x", operation: "second") }
            // Unconfined programs have no limit.
            let unconfined = host.client(Self.free)
            for index in 0..<3 { _ = try await begin(unconfined, keys[2], "large-\(index)") }
            // A commit makes room.
            try await client.commit("large")
            try await client.begin(keys[0], "x", operation: "empty")
        }
    }

    @Test("T4: what is staged for packages and for documents counts together")
    func stagedPackages() async throws {
        var limits = ContentLimits()
        limits.stagedBytes = ShareLimits(
            total: .max, unconfined: .init(each: .max, together: .max),
            confined: .init(each: 11_000, together: 30_000), admitsOneLarge: true)
        try await TestHost.with(limits: limits) { host in
            let keys = try await Self.documents(host, "a", String(repeating: "s", count: 6_000))
            let folder = host.store(.remote).addFolder("a.rtfd")
            host.store(.remote).add("TXT.rtf", "old", in: folder)
            let package = TestProviderKind.remote.key(folder)
            try await host.grant(package, to: Self.one)
            _ = try await host.services.hierarchy.location(package)
            let client = host.client(Self.one)
            _ = try await host.services.packages.begin(
                client.session, package, isReplacing: false, operation: "package", claim: nil)
            let content = NSTemporaryDirectory() + "docent-element-\(UUID().uuidString)"
            try Data(count: 6_000).write(to: URL(filePath: content))
            defer { try? FileManager.default.removeItem(atPath: content) }
            func stage(_ name: String) async throws {
                let file = OpenDescriptor(owning: open(content, O_RDONLY | O_CLOEXEC))
                try await host.services.packages.stage(client.session, "package", name, .content(file))
            }
            // A single package may be of any size, like a single document.
            try await stage("first")
            try await stage("second")
            try await host.services.packages.stage(client.session, "package", "second", .removed)
            try await client.begin(keys[0], "small", operation: "document")
            await Self.expectFull { try await stage("second") }
            await Self.expectFull {
                _ = try await host.services.writes.begin(client.session, keys[1], replacing: false, operation: "full")
            }
            // An element that is replaced or removed makes room.
            try await host.services.packages.stage(client.session, "package", "first", .removed)
            try await stage("second")
        }
    }

    @Test("T4: confined clients leave the others room on the disk, unconfined programs may use all of it")
    func reservedBytes() async throws {
        try await TestHost.with(environment: ["DOCENT_MINIMUM_FREE_BYTES": "\(1 << 60)"]) { host in
            let keys = try await Self.documents(host, "a")
            let client = host.client(Self.one)
            await #expect(throws: FileSystemError.self) { try await client.begin(keys[0], "x", operation: "first") }
            #expect(host.files(in: "Staging").isEmpty)
            #expect(try await client.state("first") == "failed")
            let unconfined = host.client(Self.free)
            try await unconfined.begin(keys[0], "x", operation: "first")
            try await unconfined.commit("first")
        }
    }

    private static func expectFull(
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async {
        let failure = await refusal(sourceLocation: sourceLocation, call)
        #expect(failure?.message.contains("bytes staged for writing") == true, sourceLocation: sourceLocation)
    }

    @Test("T4: copies that a confined client imports count while they are open; a single one may be of any size")
    func copies() async throws {
        var limits = ContentLimits()
        limits.copiedBytes = ShareLimits(
            total: .max, unconfined: .none, confined: .init(each: 10_000, together: .max), admitsOneLarge: true)
        let (small, large) = (String(repeating: "s", count: 6_000), String(repeating: "l", count: 20_000))
        try await TestHost.with(limits: limits) { host in
            let keys = try await Self.documents(host, small, small, large)
            let (client, other) = (host.session(Self.one), host.session(Self.two))
            func copy(_ session: Session, _ key: ItemKey) async throws -> OpenDescriptor {
                try await host.services.documents.importGranted(session, key).file
            }
            var held = [try await copy(client, keys[0])]
            #expect(held[0].text == small)
            // In any session of that client.
            let again = host.session(Self.one)
            let refusal = await Self.refusal { _ = try await copy(again, keys[1]) }
            #expect(refusal?.code == .busy, "\(refusal?.message ?? "")")
            let others = [try await copy(other, keys[1])]
            held = []
            // It counts until the kernel has closed it everywhere.
            try await TransferSupport.eventually {
                do {
                    held.append(try await copy(client, keys[2]))
                } catch let failure as Failure where failure.code == .busy { return false }
                return true
            }
            let second = await Self.refusal { _ = try await copy(client, keys[0]) }
            #expect(second?.code == .busy)
            withExtendedLifetime((held, others)) {}
        }
    }
}
