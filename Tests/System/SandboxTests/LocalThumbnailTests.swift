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

/// Pictures that a thumbnailer draws of content that is here (K9), with the daemon's services and providers in memory.
@Suite("Pictures drawn on this machine", .needs(.programs)) struct LocalThumbnailTests {
    private static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")

    /// Installs a thumbnailer for images, with this script, and runs a test with a host that finds it.
    private static func with(_ script: String, _ body: (TestHost, TemporaryFolder) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        try install(script, in: folder)
        try await TestHost.with(environment: ["XDG_DATA_HOME": folder.path]) { host in
            try await body(host, folder)
        }
    }

    private static func install(_ script: String, in folder: TemporaryFolder) throws {
        try FileManager.default.createDirectory(at: folder.url("thumbnailers"), withIntermediateDirectories: true)
        let program = folder.url("draw")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let entry = """
            [Thumbnailer Entry]
            TryExec=\(program.path)
            Exec=\(program.path) %i %o %s
            MimeType=image/png;image/jpeg;
            """
        try Data(entry.utf8).write(to: folder.url("thumbnailers/test.thumbnailer"))
    }

    private static func picture(_ host: TestHost, _ key: ItemKey, size: Int = 256) async throws -> Thumbnail {
        try await host.services.thumbnails.thumbnail(host.session(tool), key.reference, size: size)
    }

    private static func refused(
        _ host: TestHost, _ key: ItemKey, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> FailureCode? {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) {
            _ = try await picture(host, key)
        }
        return failure?.code
    }

    // The documents of the test providers are texts, so the script makes the picture itself.
    private static func drawing(_ width: Int, _ height: Int) -> String {
        let text = TestPicture.png(width, height).map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        return "printf '%b' '\(text)' > \"$2\""
    }

    @Test("K9: a local document is drawn once, and a remote one only when its content is here")
    func local() async throws {
        try await Self.with("grep -q content \"$1\" && [ \"$3\" = 256 ] && " + Self.drawing(120, 80)) { host, _ in
            let inPlace = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.png", "content"))
            let first = try await Self.picture(host, inPlace)
            #expect(first.source == .local && first.width == 120 && first.height == 80)
            let second = try await Self.picture(host, inPlace)
            #expect(second.source == .cache)
            let remote = TestProviderKind.remote.key(host.store(.remote).add("b.png", "content"))
            #expect(await Self.refused(host, remote) == .notSupported)
            #expect(host.store(.remote).calls(.fetch).isEmpty)
            _ = try await host.services.gateway.content(remote)
            host.clock.advance(by: .seconds(601))
            let drawn = try await Self.picture(host, remote)
            #expect(drawn.source == .local && drawn.version == "v1")
            // The copy here is of an old version now: it is not drawn for the new one.
            host.store(.remote).edit(remote.identifier, "other content")
            _ = try await host.services.gateway.refreshed(remote)
            #expect(await Self.refused(host, remote) == .notSupported)
            // No program draws this type.
            let text = TestProviderKind.inPlace.key(host.store(.inPlace).add("c.txt", "content"))
            #expect(await Self.refused(host, text) == .notSupported)
        }
    }

    @Test("K9: a provider's JPEG, and a picture that is too large, are drawn again")
    func converted() async throws {
        let script = "head -c 3 \"$1\" | od -An -tx1 | grep -q -E 'ff d8 ff|89 50 4e' && " + Self.drawing(64, 64)
        try await Self.with(script) { host, _ in
            let store = host.store(.remote)
            let pictures: [[UInt8]] = [
                [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3], TestPicture.png(1025, 20), TestPicture.png(300, 20),
            ]
            for (index, bytes) in pictures.enumerated() {
                let key = TestProviderKind.remote.key(store.add("\(index).png", "content"))
                store.setThumbnail(ItemThumbnail(data: bytes), of: key.identifier)
                let picture = try await Self.picture(host, key)
                #expect(picture.source == .provider && picture.width == 64, "\(index)")
            }
            #expect(store.calls(.fetch).isEmpty)
        }
    }

    @Test("K9: what a document makes of its thumbnailer is no picture, and is not tried again at once")
    func hostile() async throws {
        let copying = "cp \"$1\" \"$2\""
        for script in ["kill -SEGV $$", copying, "head -c 9999999 /dev/zero > \"$2\"", Self.drawing(257, 20)] {
            try await Self.with(script) { host, folder in
                let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.png", "content"))
                #expect(await Self.refused(host, key) == .notSupported, "\(script)")
                // A program that works by now is not started for a while.
                try Self.install(Self.drawing(20, 20), in: folder)
                #expect(await Self.refused(host, key) == .notSupported, "\(script)")
                host.clock.advance(by: .seconds(601))
                let picture = try await Self.picture(host, key)
                #expect(picture.width == 20 && picture.source == .local)
                #expect(host.store(.inPlace).text(key.identifier) == "content")
            }
        }
    }
}
