import DocentTestSupport
import Documents
import Foundation
import Testing

/// Content that a client wrote and never committed can be listed, read, restored and discarded (W0).
@Suite(.needs(.daemon)) struct RecoveredVersionTests {
    private struct Version: Decodable {
        var identifier: String
        var name: String
        var reason: String
        var size: Int
    }

    private static let document = "LocalFolder:/a.txt"

    private static func with(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            try installation.write("other", to: "b.txt")
            try await body(installation)
        }
    }

    private static func versions(_ installation: Installation, _ location: String? = nil) async throws -> [Version] {
        if let location {
            return try await installation.docent("versions", "list", "--json", location).succeeded().json(
                [Version].self)
        }
        return try await installation.docent("versions", "list", "--json").succeeded().json([Version].self)
    }

    /// Kills a client in the middle of a coordinated write.
    private static func killed(_ installation: Installation, having text: String) async throws -> Version {
        let probe = try await Probe(installation)
        try await probe.wait(try probe.send("stage", document, text), for: "staged")
        probe.process.send(SIGKILL)
        try await installation.eventually("it is kept") { try await !versions(installation, document).isEmpty }
        return try #require(try await versions(installation, document).first)
    }

    @Test("W0: content written by a killed client is listed and can be read until it is discarded")
    func listed() async throws {
        try await Self.with { installation in
            let version = try await Self.killed(installation, having: "unsaved")
            #expect(version.reason == "recovered" && version.name == "a.txt" && version.size == 7)
            #expect(installation.read(installation.documents + "/a.txt") == "old")
            #expect(try await Self.versions(installation, "LocalFolder:/b.txt").isEmpty)
            #expect(try await Self.versions(installation).map(\.identifier) == [version.identifier])
            #expect(
                try await installation.docent("versions", "show", version.identifier).succeeded().text == "unsaved")
            try await installation.docent("versions", "remove", "--yes", version.identifier).succeeded()
            #expect(try await Self.versions(installation).isEmpty)
            #expect(installation.versions.isEmpty)
        }
    }

    @Test("W0: a recovered version is restored, and the replaced content is kept and can be restored")
    func restored() async throws {
        try await Self.with { installation in
            let version = try await Self.killed(installation, having: "unsaved")
            let wrong = try await installation.docent("versions", "restore", version.identifier, "LocalFolder:/b.txt")
            #expect(wrong.status != 0 && wrong.errors.contains("docent versions"))
            #expect(installation.read(installation.documents + "/b.txt") == "other")

            try await installation.docent("versions", "restore", version.identifier, Self.document).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "unsaved")
            let left = try await Self.versions(installation, Self.document)
            #expect(left.map(\.reason) == ["replaced"])
            let replaced = try #require(left.first)
            try await installation.docent("versions", "restore", replaced.identifier, Self.document).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "old")
        }
    }

    @Test("W0, 2.4: an open document keeps its unsaved changes when a version is restored, and follows")
    func restoredBelowAnEditor() async throws {
        try await Self.with { installation in
            let version = try await Self.killed(installation, having: "unsaved")
            let editor = try await Probe(installation)
            try await editor.wait(try editor.send("document", Self.document, "edited"), for: "edited")
            try await installation.docent("versions", "restore", version.identifier, Self.document).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "unsaved")
            // It was saved first, so it is the replaced content.
            let replaced = try #require(try await Self.versions(installation, Self.document).first)
            #expect(
                try await installation.docent("versions", "show", replaced.identifier).succeeded().text == "edited")
        }
    }

    @Test("O5: a client killed in a conflict leaves its side as a recovered version")
    func killedInConflict() async throws {
        try await Self.with { installation in
            let editor = try await Probe(installation)
            let edit = try editor.send("document", Self.document, "mine")
            try await editor.wait(edit, for: "edited")
            let other = try await Probe(installation)
            try await other.run("append", Self.document, ", theirs", until: "ok")
            try await editor.wait(edit, for: "conflict")
            #expect(try await Self.versions(installation).isEmpty)
            editor.process.send(SIGKILL)
            try await installation.eventually("its side is kept") {
                try await !Self.versions(installation, Self.document).isEmpty
            }
            // A client in a conflict stores its side anew before it drops what it stored before, and may be killed in
            // between.
            let kept = try await Self.versions(installation, Self.document)
            #expect(kept.count <= 2 && kept.allSatisfy { $0.reason == "recovered" }, "\(kept)")
            for version in kept {
                #expect(
                    try await installation.docent("versions", "show", version.identifier).succeeded().text == "mine")
            }
            #expect(installation.read(installation.documents + "/a.txt") == "old, theirs\n")
        }
    }
}
