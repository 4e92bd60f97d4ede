import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// A full disk: no existing data is damaged, and nothing of the attempt is left.
@Suite(.needs(.daemon)) struct DurabilitySpaceTests {
    private static let old = Installation.content("old")
    // Larger than the small file system and the limit below.
    private static let large = String(repeating: "large content\n", count: 1 << 20)

    @Test(
        "W1: a full disk under the data directory makes write and export fail with \"no space\", and nothing else",
        .enabled(if: getuid() == 0, "only root can mount a small file system"))
    func fullDataDirectory() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(Self.old, to: "a.txt")
            let source = try installation.makeSource(Self.large)
            try await installation.stopDaemon()
            let small = installation.root + "/small"
            try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
            try await installation.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", small])
                .succeeded()
            defer { umount2(small, CInt(MNT_DETACH)) }
            let environment = ["XDG_DATA_HOME": small]
            try await installation.docent(
                "provider", "enable", "org.docent.LocalFolder", "--yes", environment: environment
            ).succeeded()
            for _ in 0..<2 {
                let written = try await installation.docent(
                    "write", "LocalFolder:/a.txt", input: Data(Self.large.utf8), environment: environment)
                #expect(written.status == 1, "\(written.errors)")
                #expect(written.errors.localizedStandardContains("space"), "\(written.errors)")
                let exported = try await installation.docent(
                    "export", source, "LocalFolder:/", environment: environment)
                #expect(exported.status == 1, "\(exported.errors)")
                #expect(Self.tellsOfSpace(exported.errors), "\(exported.errors)")
                let moved = try await installation.docent("move", source, "LocalFolder:/", environment: environment)
                #expect(moved.status == 1)
                try await installation.eventually("the staged data is gone") {
                    Self.leftovers(small + "/docent").isEmpty
                }
            }
            #expect(installation.read(installation.documents + "/a.txt") == Self.old)
            #expect(installation.documentNames == ["a.txt"])
            #expect(installation.read(source) == Self.large)
            // There is space again for smaller files.
            try await installation.docent(
                "write", "LocalFolder:/a.txt", input: Data("fits".utf8), environment: environment
            ).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "fits")
            try await installation.docent("daemon", "stop", "--force", environment: environment).succeeded()
        }
    }

    @Test(
        "W: a full disk at the provider makes write and export fail with \"no space\"; the old document stays",
        .enabled(if: getuid() == 0, "only root can mount a small file system"))
    func fullProvider() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.stopDaemon()
            let source = try installation.makeSource(Self.large)
            try await installation.run(
                "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", installation.documents]
            ).succeeded()
            defer { umount2(installation.documents, CInt(MNT_DETACH)) }
            try installation.write(Self.old, to: "a.txt")
            let exported = try await installation.docent("export", source, "LocalFolder:/")
            #expect(exported.status == 1, "\(exported.errors)")
            #expect(Self.tellsOfSpace(exported.errors), "\(exported.errors)")
            #expect(installation.leftovers.isEmpty)
            let moved = try await installation.docent("move", source, "LocalFolder:/")
            #expect(moved.status == 1)
            #expect(installation.read(source) == Self.large)
            let written = try await installation.docent("write", "LocalFolder:/a.txt", input: Data(Self.large.utf8))
            #expect(written.status == 1, "\(written.errors)")
            #expect(Self.tellsOfSpace(written.errors), "\(written.errors)")
            #expect(installation.read(installation.documents + "/a.txt") == Self.old)
            #expect(installation.documentNames == ["a.txt"], "the provider's own staged file is gone too")
            try await installation.stopDaemon()
        }
    }

    @Test("W1: a limit on the daemon's file size makes export and move fail with \"no space\", and the daemon survives")
    func fileSizeLimit() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(Self.old, to: "a.txt")
            let source = try installation.makeSource(Self.large)
            try await installation.stopDaemon()
            // In blocks of 1024 bytes; the daemon that replaces the shell ignores SIGXFSZ itself.
            let (daemon, input) = try installation.spawn(
                ["-c", "ulimit -f 4096; exec \"$0\"", Installation.binaries + "/docentd"], program: "/bin/bash")
            try await installation.eventually("the daemon answers") { installation.answers }
            for mode in ["export", "move"] {
                let outcome = try await installation.docent(mode, source, "LocalFolder:/")
                #expect(outcome.status == 1, "\(outcome.errors)")
                #expect(Self.tellsOfSpace(outcome.errors), "\(outcome.errors)")
                #expect(installation.leftovers.isEmpty)
            }
            #expect(daemon.isRunning)
            #expect(installation.documentNames == ["a.txt"])
            #expect(installation.read(source) == Self.large)
            try await installation.docent("write", "LocalFolder:/a.txt", input: Data("fits".utf8)).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "fits")
            try input.close()
            try await installation.killDaemon(daemon)
        }
    }

    private static func tellsOfSpace(_ text: String) -> Bool {
        ["space", "free", "room", "large"].contains { text.lowercased().contains($0) }
    }

    private static func leftovers(_ data: String) -> [String] {
        ["Staging", "Uploads"].flatMap { (try? FileManager.default.contentsOfDirectory(atPath: "\(data)/\($0)")) ?? [] }
    }
}
