import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import HostServices

/// Pictures of documents (K9), with providers in memory and without thumbnailers.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ThumbnailServiceTests {
    private static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")
    private static let kind = TestProviderKind.remote

    private static func picture(
        _ host: TestHost, _ key: ItemKey, size: Int = 256, by principal: Principal = tool
    ) async throws -> Thumbnail {
        try await host.services.thumbnails.thumbnail(host.session(principal), key.reference, size: size)
    }

    private static func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    private static func bytes(_ thumbnail: Thumbnail) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(thumbnail.file.number, &bytes, bytes.count, 0)
        return Array(bytes[..<max(0, count)])
    }

    private static func expect(
        _ source: Thumbnail.Source, _ host: TestHost, _ key: ItemKey, size: Int = 256, by principal: Principal = tool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let picture = try await picture(host, key, size: size, by: principal)
        #expect(picture.source == source, sourceLocation: sourceLocation)
    }

    /// Adds a document with a picture.
    private static func add(
        _ host: TestHost, _ name: String = "a.png", _ picture: [UInt8] = TestPicture.png(200, 100),
        version: String? = nil
    ) -> ItemKey {
        let identifier = host.store(kind).add(name, "content")
        host.store(kind).setThumbnail(
            ItemThumbnail(data: picture, version: version.map(ItemVersion.init(content:))), of: identifier)
        return kind.key(identifier)
    }

    @Test("K9: a picture comes from the provider once, then from the cache, also after a restart; nothing is fetched")
    func kept() async throws {
        try await TestHost.with { host in
            let key = Self.add(host)
            let first = try await Self.picture(host, key)
            #expect(first.source == .provider && first.width == 200 && first.height == 100 && first.version == "v1")
            let parsed = try #require(PNGPicture(Self.bytes(first), most: 256))
            #expect(parsed.texts["Thumb::URI"] == ThumbnailAddress.text(key.reference))
            #expect(parsed.texts["Thumb::MTime"] != nil && parsed.texts["X-Docent::Version"] == "v1")
            let second = try await Self.picture(host, key)
            #expect(second.source == .cache && Self.bytes(second) == Self.bytes(first) && second.path == first.path)
            #expect(host.files(in: "Thumbnails").count == 1)
            #expect(host.files(in: "Thumbnails")[0].contains("/large/"))
            try await host.restarted { host in
                try await Self.expect(.cache, host, key)
                // Another size is another picture.
                try await Self.expect(.provider, host, key, size: 128)
                #expect(host.store(Self.kind).calls(.thumbnail).count == 2)
                #expect(host.store(Self.kind).calls(.fetch).isEmpty)
            }
        }
    }

    @Test("K9: a document that has changed gets a new picture, and one of another version is not taken for it")
    func versions() async throws {
        try await TestHost.with { host in
            let store = host.store(Self.kind)
            let key = Self.add(host, version: "v1")
            #expect(try await Self.picture(host, key).version == "v1")
            store.edit(key.identifier, "other")
            store.setThumbnail(
                ItemThumbnail(data: TestPicture.png(10, 10), version: ItemVersion(content: "v2")), of: key.identifier)
            // What is known here is the old version, so its picture is still right; a fresh description changes that.
            _ = try await host.services.gateway.refreshed(key)
            let next = try await Self.picture(host, key)
            #expect(next.version == "v2" && next.width == 10 && next.source == .provider)
            // The host knows an old version, and the provider has a picture of the new one only.
            let other = Self.add(host, "b.png", version: "v2")
            _ = try await host.services.gateway.item(other)
            store.edit(other.identifier, "newer")
            #expect(try await Self.picture(host, other).version == "v2")
            // A provider that always says another version is asked twice, and refused.
            let liar = Self.add(host, "c.png", version: "v9")
            await Self.refuses(.conflict) { _ = try await Self.picture(host, liar) }
        }
    }

    @Test("K9: without a picture the answer says so, is remembered for a while, and nothing is fetched")
    func none() async throws {
        try await TestHost.with { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.png", "content"))
            for _ in 0..<3 { await Self.refuses(.notSupported) { _ = try await Self.picture(host, key) } }
            #expect(store.calls(.thumbnail).count == 1 && store.calls(.fetch).isEmpty)
            store.setThumbnail(ItemThumbnail(data: TestPicture.png(5, 5)), of: key.identifier)
            await Self.refuses(.notSupported) { _ = try await Self.picture(host, key) }
            host.clock.advance(by: .seconds(601))
            try await Self.expect(.provider, host, key)
            // A provider that cannot be reached says nothing about the document.
            let other = Self.add(host, "b.png")
            store.fail(.thumbnail, .serverUnreachable)
            await Self.refuses(.unavailable) { _ = try await Self.picture(host, other) }
            host.services.remote.monitor.reset(other.provider, other.domain)
            try await Self.expect(.provider, host, other)
            let folder = Self.kind.key(store.addFolder("f"))
            await Self.refuses(.notSupported) { _ = try await Self.picture(host, folder) }
            for size in [0, -1, 1025, .max] {
                await Self.refuses(.invalidArgument) { _ = try await Self.picture(host, key, size: size) }
            }
            // A provider of local documents without the feature, and no thumbnailer for the type.
            let local = TestProviderKind.inPlace.key(host.store(.inPlace).add("c.png", "content"))
            await Self.refuses(.notSupported) { _ = try await Self.picture(host, local) }
        }
    }

    @Test("K9: a provider that lies is refused, and what it sent is neither kept nor handed out")
    func lies() async throws {
        try await TestHost.with { host in
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0]
            let endless = [UInt8](repeating: 1, count: ItemThumbnail.maximumLength + 1)
            for (index, bytes) in [Array("<html>".utf8), endless, []].enumerated() {
                let key = Self.add(host, "\(index).png", bytes)
                await Self.refuses(.providerFailed) { _ = try await Self.picture(host, key) }
            }
            // What would have to be drawn again, with nothing here that could.
            let cut = Array(TestPicture.png(20, 20).dropLast())
            for (index, bytes) in [jpeg, TestPicture.png(1025, 10), cut].enumerated() {
                let key = Self.add(host, "raw \(index).png", bytes)
                await Self.refuses(.notSupported) { _ = try await Self.picture(host, key) }
            }
            #expect(host.files(in: "Thumbnails").isEmpty)
            // A picture that is larger than asked for is better than none.
            let key = Self.add(host, "l.png", TestPicture.png(1024, 700))
            let larger = try await Self.picture(host, key, size: 128)
            #expect(larger.width == 1024)
        }
    }

    @Test("K9: a provider that does not answer is not waited for, and whoever stops waiting stops the call")
    func silent() async throws {
        try await TestHost.with { host in
            let store = host.store(Self.kind)
            let key = Self.add(host)
            let gate = store.hold(.thumbnail)
            let asked = Task { try await Self.picture(host, key) }
            _ = await host.clock.sleeper("ProviderThumbnails")
            host.clock.advance(by: .seconds(21))
            await Self.refuses(.deadlineExceeded) { _ = try await asked.value }
            gate.open()
            let other = Self.add(host, "b.png")
            let second = store.hold(.thumbnail)
            let cancelled = Task { try await Self.picture(host, other) }
            _ = await host.clock.sleeper("ProviderThumbnails")
            cancelled.cancel()
            await #expect(throws: (any Error).self) { _ = try await cancelled.value }
            second.open()
            // It was not the document's fault.
            try await Self.expect(.provider, host, other)
        }
    }

    @Test("K9: a confined client gets pictures of what it may read only, also when they are here already")
    func confined() async throws {
        try await TestHost.with { host in
            let (own, other) = (Self.add(host, "own.png"), Self.add(host, "secret.png"))
            for key in [own, other] { _ = try await Self.picture(host, key) }
            #expect(writer.isConfined)
            try await host.grant(own, .read)
            try await Self.expect(.cache, host, own, by: writer)
            await Self.refuses(.notPermitted) { _ = try await Self.picture(host, other, by: writer) }
            await Self.refuses(.notPermitted) { _ = try await Self.picture(host, Self.kind.key("gone"), by: writer) }
            await Self.refuses(.notPermitted) { _ = try await Self.picture(host, Self.kind.root, by: writer) }
            _ = try await host.services.grants.revoke(GrantFilter(principal: writer))
            await Self.refuses(.notPermitted) { _ = try await Self.picture(host, own, by: writer) }
            #expect(host.store(Self.kind).calls(.thumbnail).count == 2)
        }
    }

    @Test("K9, K16: of an account that is signed out there is no picture, and its pictures go with its copies")
    func closed() async throws {
        try await TestHost.with { host in
            let key = Self.add(host)
            _ = try await Self.picture(host, key)
            let closed = host.services.remote.monitor.closed
            closed.close(DomainKey(key), .signedOut)
            await Self.refuses(.notAuthenticated) { _ = try await Self.picture(host, key) }
            closed.open(DomainKey(key))
            try await Self.expect(.cache, host, key)
            try await host.services.remoteAdministrator.removeCopies(of: DomainKey(key))
            #expect(host.files(in: "Thumbnails").isEmpty)
            try await Self.expect(.provider, host, key)
        }
    }
}
