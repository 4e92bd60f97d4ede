import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A document without a local copy looks like one with it: placeholders, names, and stopProviding.
@Suite(.needs(.daemon, .server)) struct RemotePlaceholderTests {
    private struct Placeholder: Decodable {
        struct Metadata: Decodable {
            var name: String
            var size: Int
            var contentType: String?
            var modificationDate: Double?
            var version: String?
        }

        var docentPlaceholder: Int
        var metadata: Metadata
    }

    private static let name = "plan ü.txt"

    private static func placeholder(_ remote: RemoteInstallation) throws -> Placeholder? {
        try remote.localFiles(RemoteInstallation.placeholder(name)).first.map {
            try JSONDecoder().decode(Placeholder.self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
        }
    }

    @Test(
        "D7, E1, E7: browsing creates a placeholder and fetches nothing, reading creates the file, evicting restores the placeholder",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func life(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put("content", Self.name)
        } _: { remote in
            let item = try await remote.info(Self.name)
            #expect(item.size == 7)
            #expect(!item.isDownloaded && item.isUploaded)
            try await remote.eventually("the placeholder is written") { try Self.placeholder(remote) != nil }
            let placeholder = try #require(try Self.placeholder(remote))
            #expect(placeholder.metadata.name == Self.name)
            #expect(placeholder.metadata.size == 7)
            #expect(placeholder.metadata.modificationDate != nil)
            #expect(placeholder.metadata.version == item.version)
            #expect(try await remote.names() == [Self.name])
            #expect(try await remote.downloads(Self.name).isEmpty)

            #expect(try await remote.read(Self.name) == "content")
            #expect(try await remote.info(Self.name).isDownloaded)
            #expect(remote.localFiles(Self.name).compactMap { remote.installation.read($0) } == ["content"])
            #expect(remote.localFiles(RemoteInstallation.placeholder(Self.name)).isEmpty)

            try await remote.docent("evict", remote.location(Self.name)).succeeded()
            #expect(remote.localFiles(Self.name).isEmpty)
            #expect(try Self.placeholder(remote)?.metadata.size == 7)
            let after = try await remote.info(Self.name)
            #expect(after.identifier == item.identifier)
            #expect(!after.isDownloaded)
            #expect(try await remote.read(Self.name) == "content")
        }
    }

    @Test("E3, 3.7: a placeholder is never listed, and a document named like one can be stored and read")
    func namedLikeOne() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("real", "a.txt")
        } _: { remote in
            let double = RemoteInstallation.placeholder("a.txt")
            _ = try await remote.info("a.txt")
            try await remote.eventually("the placeholder is written") { !remote.localFiles(double).isEmpty }
            #expect(try await remote.names() == ["a.txt"])
            try await remote.write("a document", double).succeeded()
            #expect(try await remote.read(double) == "a document")
            #expect(try await remote.read("a.txt") == "real")
            #expect(try await remote.names() == [double, "a.txt"])
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text(double) == "a document")
            #expect(try await remote.read(double) == "a document")
            try await remote.docent("evict", remote.location("")).succeeded()
            #expect(try await remote.read(double) == "a document")
        }
    }

    private static let legalNames = [
        "100% #1?.txt", "a&b;c=d+e@f.txt", " leading and trailing ", "quote\"'`$.txt", "..two dots", "-n", "日本語.txt",
        "e\u{301} decomposed", "back\\slash", "<tag>&amp;", "tab\tin it", String(repeating: "n", count: 240) + ".txt",
    ]

    @Test("3.7: every legal name survives the round trip, and has its own placeholder")
    func legalNames() async throws {
        try await RemoteInstallation.with { server in
            for name in Self.legalNames {
                try Data(name.utf8).write(to: URL(fileURLWithPath: "\(server.folder)/\(name)"))
            }
        } _: { remote in
            let listed = try await remote.docent("ls", "--json", remote.location("")).succeeded()
                .json([RemoteBehaviour.Item].self)
            #expect(
                listed.map { Array($0.name.utf8) }
                    == Self.legalNames.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
            for name in Self.legalNames {
                #expect(try await remote.read(name) == name)
                try await remote.write(name + "!", name).succeeded()
            }
            #expect(try await remote.drain().status == 0)
            for name in Self.legalNames {
                #expect(remote.installation.read("\(remote.server.folder)/\(name)") == name + "!")
            }
            let evicted = try await remote.docent("evict", remote.location("")).succeeded()
            #expect(evicted.text.hasPrefix("removed: \(Self.legalNames.count),"), "\(evicted.text)")
            for name in Self.legalNames { #expect(remote.localFiles(name).isEmpty) }
        }
    }

    @Test("F1 to F3: an identifier stays the same after a change, an eviction and a restart")
    func identifier() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("folder")
            try await server.put("one", "folder/a.txt")
        } _: { remote in
            let identifier = try await remote.info("folder/a.txt").identifier
            try await remote.write("two", "folder/a.txt").succeeded()
            #expect(try await remote.info("folder/a.txt").identifier == identifier)
            #expect(try await remote.drain().status == 0)
            try await remote.docent("evict", remote.location("folder/a.txt")).succeeded()
            try await remote.restartDaemon()
            #expect(try await remote.info("folder/a.txt").identifier == identifier)
            #expect(try await remote.read("folder/a.txt") == "two")
        }
    }

    @Test("D10: a provider is notified once when the last reader ends, also when the reader was killed")
    func killedReader() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            let text = String(repeating: "0123456789", count: 100_000)
            try ClassicProbeManifest.write(text, to: "long.txt", in: installation)
            func callbacks() -> [String] {
                ClassicProbeManifest.callbacks(about: "long.txt", in: installation).filter { $0 != "placeholder" }
            }
            // The pipe is not drained: the reader stays in the middle.
            let pipe = Pipe()
            let reader = try ChildProcess(
                Installation.binaries + "/docent", ["cat", "\(ClassicProbeManifest.bundle):/long.txt"],
                environment: installation.environment, output: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
            try await installation.eventually("the reader is in the middle", within: 90) {
                var count: CInt = 0
                _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
                return count > 0
            }
            // Its time limit for reading has passed by then; it reads on nevertheless.
            for _ in 0..<20 {
                #expect(callbacks() == ["start", "started"])
                try await Task.sleep(for: .milliseconds(100))
            }
            reader.send(SIGKILL)
            try await installation.eventually("stopProviding is called", within: 90) { callbacks().contains("stop") }
            try await installation.docent("cat", "\(ClassicProbeManifest.bundle):/long.txt").succeeded()
            try await installation.eventually("the provider is notified again", within: 90) {
                callbacks().filter { $0 == "stop" }.count == 2
            }
            #expect(callbacks().filter { $0 != "started" && $0 != "start" } == ["stop", "stop"])
        }
    }
}
