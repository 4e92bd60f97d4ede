import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The versions of documents, through the real daemon and the command line.
@Suite(.needs(.daemon)) struct HistoryTests {
    struct Version: Decodable, Equatable {
        var version: String
        var isCurrent: Bool
        var isConflict: Bool
        var isResolved: Bool
        var reason: String?
        var size: Int?
        var modificationDate: String?
        var savedBy: String?
        var savedOn: String?
        var hasLocalContents: Bool
    }

    static func history(_ installation: Installation, _ location: String) async throws -> [Version] {
        try await installation.docent("history", "--json", location).succeeded().json([Version].self)
    }

    static func show(_ installation: Installation, _ location: String, _ version: Version) async throws -> String {
        try await installation.docent("show", location, "--version", version.version).succeeded().text
    }

    private static func save(_ installation: Installation, _ location: String, _ text: String) async throws {
        try await installation.docent("write", location, input: Data(text.utf8)).succeeded()
    }

    @Test(
        "V1, V4, V7: what saves replace is listed, shown, compared and restored, and a restored version can be taken back"
    )
    func localFolder() async throws {
        try await Installation.withLocalFolder { installation in
            let location = "LocalFolder:/a.txt"
            try installation.write("zero\n", to: "a.txt")
            for text in ["one\n", "two\n"] { try await Self.save(installation, location, text) }
            let versions = try await Self.history(installation, location)
            #expect(versions.map(\.isCurrent) == [true, false, false])
            #expect(versions.map(\.reason) == [nil, "superseded", "superseded"])
            #expect(versions.map(\.savedBy) == ["org.docent.cli", "org.docent.cli", nil])
            #expect(versions.allSatisfy { $0.hasLocalContents && !$0.isConflict && $0.isResolved && $0.size != nil })
            #expect(versions[0].version == "current" && versions[1].savedOn?.isEmpty == false)
            #expect(try await Self.show(installation, location, versions[0]) == "two\n")
            #expect(try await Self.show(installation, location, versions[1]) == "one\n")
            #expect(try await Self.show(installation, location, versions[2]) == "zero\n")
            let table = try await installation.docent("history", location).succeeded().text
            #expect(table.contains("superseded") && table.contains("org.docent.cli"))

            let difference = try await installation.docent("diff", location, versions[2].version).succeeded().text
            #expect(difference.contains("-zero\n") && difference.contains("+two\n"))
            let same = try await installation.docent("diff", location, "current").succeeded().text
            #expect(same.isEmpty)

            try await installation.docent("restore", location, "--version", versions[2].version).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "zero\n")
            let after = try await Self.history(installation, location)
            #expect(after.map(\.reason) == [nil, "replaced", "superseded", "superseded"])
            try await installation.docent("restore", location, "--version", after[1].version).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "two\n")
            let copy = try await installation.docent(
                "restore", location, "--version", versions[1].version, "--to", "LocalFolder:/old.txt"
            ).succeeded()
            #expect(copy.text == "LocalFolder:/old.txt\n" || copy.text.hasSuffix(":/old.txt\n"))
            #expect(installation.read(installation.documents + "/old.txt") == "one\n")
            // Not listed among what needs attention, unless it is asked for.
            let attention = try await installation.docent("versions", "--json").succeeded().text
            #expect(!attention.contains("superseded"))
            let all = try await installation.docent("versions", "list", "--all", "--json").succeeded().text
            #expect(all.contains("superseded"))
        }
    }

    @Test("V1: the versions of a document follow it when it is renamed, and survive a restart")
    func follows() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            try await Self.save(installation, "LocalFolder:/a.txt", "new")
            try await installation.docent("rename", "LocalFolder:/a.txt", "b.txt").succeeded()
            try await installation.stopDaemon()
            let versions = try await Self.history(installation, "LocalFolder:/b.txt")
            #expect(versions.count == 2)
            #expect(try await Self.show(installation, "LocalFolder:/b.txt", versions[1]) == "old")
        }
    }

    @Test("V3: nothing is kept where the user has said so, and the rules are shown")
    func rules() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Downloads", withIntermediateDirectories: true)
            for name in ["a.txt", "Downloads/b.txt"] { try installation.write("old", to: name) }
            try await installation.docent("versions", "keep", "--off", "LocalFolder:/Downloads").succeeded()
            try await installation.docent("versions", "keep", "--days", "30", "--space", "1GB").succeeded()
            for name in ["a.txt", "Downloads/b.txt"] {
                try await Self.save(installation, "LocalFolder:/\(name)", "new")
            }
            #expect(try await Self.history(installation, "LocalFolder:/a.txt").count == 2)
            #expect(try await Self.history(installation, "LocalFolder:/Downloads/b.txt").count == 1)
            let shown = try await installation.docent("versions", "keep", "LocalFolder:/Downloads").succeeded().text
            #expect(shown.contains("/Downloads") && shown.contains("30"), "\(shown)")
            let wrong = try await installation.docent("versions", "keep", "--space", "1GB", "LocalFolder:/Downloads")
            #expect(wrong.status == 64, "\(wrong.errors)")
        }
    }

    @Test(
        "V8: after kill -9 at a step of a save, its old content is a version exactly if the save was published",
        arguments: Sample.shared.of(Installation.writeSteps))
    func killed(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            _ = try await installation.docent("write", "LocalFolder:/a.txt", input: Data("new".utf8))
            if daemon.isRunning { try await installation.killDaemon(daemon) }
            try await installation.waitForEnd(of: daemon)
            try await installation.docent("info", "LocalFolder:/a.txt").succeeded()
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            let versions = try await Self.history(installation, "LocalFolder:/a.txt").filter {
                $0.reason == "superseded"
            }
            if installation.read(installation.documents + "/a.txt") == "new" {
                #expect(versions.count == 1)
                #expect(try await Self.show(installation, "LocalFolder:/a.txt", try #require(versions.first)) == "old")
            } else {
                #expect(versions.isEmpty)
            }
        }
    }

    @Test(
        "V3: without room to keep the old content a save is refused and changes nothing, unless the user prefers to save",
        .enabled(if: getuid() == 0, "only root can mount a small file system"))
    func fullDisk() async throws {
        try await Installation.withLocalFolder { installation in
            let old = String(repeating: "large content\n", count: 1 << 20)
            try installation.write(old, to: "a.txt")
            try await installation.stopDaemon()
            let small = installation.root + "/small"
            try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
            try await installation.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", small])
                .succeeded()
            defer { umount2(small, CInt(MNT_DETACH)) }
            let environment = ["XDG_DATA_HOME": small]
            func docent(_ arguments: String..., input: String = "") async throws -> Outcome {
                try await installation.run(
                    Installation.binaries + "/docent", arguments, input: Data(input.utf8), environment: environment)
            }
            try await docent("provider", "enable", "org.docent.LocalFolder", "--yes").succeeded()
            let refused = try await docent("write", "LocalFolder:/a.txt", input: "new")
            #expect(refused.status == 1 && refused.errors.contains("docent versions keep"), "\(refused.errors)")
            #expect(installation.read(installation.documents + "/a.txt") == old)
            try await docent("versions", "keep", "--when-full", "drop").succeeded()
            try await docent("write", "LocalFolder:/a.txt", input: "new").succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "new")
            #expect(!(try await docent("history", "LocalFolder:/a.txt")).text.contains("superseded"))
            try await docent("daemon", "stop", "--force").succeeded()
        }
    }
}
