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

    @Test("W0, O5, 2.4: content of a killed client, also in a conflict, is listed, read, restored and discarded")
    func recovered() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["listed.txt", "restored.txt", "edited.txt", "conflict.txt"] {
                try installation.write("old", to: name)
            }
            try installation.write("other", to: "other.txt")
            // First, because it says that there are no other versions.
            try await TestStep.run("listed") { try await Self.listed(installation) }
            try await TestStep.run("restored") { try await Self.restored(installation) }
            try await TestStep.run("restored below an editor") { try await Self.restoredBelowAnEditor(installation) }
            try await TestStep.run("killed in a conflict") { try await Self.killedInConflict(installation) }
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
    private static func killed(
        _ installation: Installation, _ document: String, having text: String
    ) async throws -> Version {
        let probe = try await Probe(installation)
        try await probe.wait(try probe.send("stage", document, text), for: "staged")
        probe.process.send(SIGKILL)
        try await installation.eventually("it is kept") { try await !versions(installation, document).isEmpty }
        return try #require(try await versions(installation, document).first)
    }

    /// Content written by a killed client is listed and can be read until it is discarded (W0).
    private static func listed(_ installation: Installation) async throws {
        let document = "LocalFolder:/listed.txt"
        let version = try await Self.killed(installation, document, having: "unsaved")
        #expect(version.reason == "recovered" && version.name == "listed.txt" && version.size == 7)
        #expect(installation.read(installation.documents + "/listed.txt") == "old")
        #expect(try await Self.versions(installation, "LocalFolder:/other.txt").isEmpty)
        #expect(try await Self.versions(installation).map(\.identifier) == [version.identifier])
        #expect(
            try await installation.docent("versions", "show", version.identifier).succeeded().text == "unsaved")
        try await installation.docent("versions", "remove", "--yes", version.identifier).succeeded()
        #expect(try await Self.versions(installation).isEmpty)
        #expect(installation.versions.isEmpty)
    }

    /// A recovered version is restored, and the replaced content is kept and can be restored (W0).
    private static func restored(_ installation: Installation) async throws {
        let document = "LocalFolder:/restored.txt"
        let version = try await Self.killed(installation, document, having: "unsaved")
        let wrong = try await installation.docent("versions", "restore", version.identifier, "LocalFolder:/other.txt")
        #expect(wrong.status != 0 && wrong.errors.contains("docent versions"))
        #expect(installation.read(installation.documents + "/other.txt") == "other")

        try await installation.docent("versions", "restore", version.identifier, document).succeeded()
        #expect(installation.read(installation.documents + "/restored.txt") == "unsaved")
        let left = try await Self.versions(installation, document)
        #expect(left.map(\.reason) == ["replaced"])
        let replaced = try #require(left.first)
        try await installation.docent("versions", "restore", replaced.identifier, document).succeeded()
        #expect(installation.read(installation.documents + "/restored.txt") == "old")
    }

    /// An open document keeps its unsaved changes when a version is restored, and follows (W0, 2.4).
    private static func restoredBelowAnEditor(_ installation: Installation) async throws {
        let document = "LocalFolder:/edited.txt"
        let version = try await Self.killed(installation, document, having: "unsaved")
        let editor = try await Probe(installation)
        try await editor.wait(try editor.send("document", document, "edited"), for: "edited")
        try await installation.docent("versions", "restore", version.identifier, document).succeeded()
        #expect(installation.read(installation.documents + "/edited.txt") == "unsaved")
        // It was saved first, so it is the replaced content.
        let replaced = try #require(try await Self.versions(installation, document).first)
        #expect(
            try await installation.docent("versions", "show", replaced.identifier).succeeded().text == "edited")
    }

    /// A client killed in a conflict leaves its side as a recovered version (O5).
    private static func killedInConflict(_ installation: Installation) async throws {
        let document = "LocalFolder:/conflict.txt"
        let editor = try await Probe(installation)
        let edit = try editor.send("document", document, "mine")
        try await editor.wait(edit, for: "edited")
        let other = try await Probe(installation)
        try await other.run("append", document, ", theirs", until: "ok")
        try await editor.wait(edit, for: "conflict")
        #expect(try await Self.versions(installation, document).isEmpty)
        editor.process.send(SIGKILL)
        try await installation.eventually("its side is kept") {
            try await !Self.versions(installation, document).isEmpty
        }
        // A client in a conflict stores its side anew before it drops what it stored before, and may be killed in
        // between.
        let kept = try await Self.versions(installation, document)
        #expect(kept.count <= 2 && kept.allSatisfy { $0.reason == "recovered" }, "\(kept)")
        for version in kept {
            #expect(
                try await installation.docent("versions", "show", version.identifier).succeeded().text == "mine")
        }
        #expect(installation.read(installation.documents + "/conflict.txt") == "old, theirs\n")
    }
}
