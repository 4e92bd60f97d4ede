import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// The summary: inside the sandbox exactly the granted files can be read.
@Suite(.needs(.daemon, .server)) struct HostileReachTests {
    @Test("G7: the set of files that can be read inside a sandbox equals the set that was granted")
    func reach() async throws {
        try await HostileStage.with { stage in
            // The attacker knows the name of every file.
            let everything = try await Self.everything(stage)
            #expect(everything.count >= 8, "\(everything)")
            let told: [String: Any] = ["everything": everything]
            let with = Self.contents(try await stage.attack("walk", told))
            let without = Self.contents(try await stage.attack("walk", as: "org.example.nobody", told))
            #expect(with.isSuperset(of: without))
            let documents = stage.installation.documents
            let granted = [
                documents + "/read.txt", documents + "/write.txt", documents + "/folder/inside.txt",
                documents + "/Box.rtfd/TXT.rtf", stage.workshop.storage + "/a.txt",
            ]
            let expected = try await Self.digests(stage, granted)
            #expect(with.subtracting(without) == expected)
            // The control: unconfined, everything can be read.
            let secret = try await Self.digests(stage, [documents + "/secret.txt", documents + "/victim.txt"])
            #expect(with.isDisjoint(with: secret))
            #expect(
                try await stage.installation.docent("cat", "LocalFolder:/secret.txt").succeeded().text
                    == "the content of secret.txt")

            // After a revocation nothing can be read.
            try await stage.installation.docent("revoke", "--client", HostileStage.client, "--yes").succeeded()
            #expect(Self.contents(try await stage.attack("walk", told)) == without)
        }
    }

    @Test("G7, S6: the same holds in docent run, and a passed path exposes only that document")
    func reachInRun() async throws {
        try await HostileStage.with { stage in
            let told: [String: Any] = ["everything": try await Self.everything(stage)]
            let documents = stage.installation.documents
            let with = Self.contents(try await stage.attackInRun("walk", [], told))
            let without = Self.contents(try await stage.attackInRun("walk", as: "org.example.nobody", [], told))
            #expect(!without.isEmpty && with.isSuperset(of: without))
            let granted = [
                documents + "/read.txt", documents + "/write.txt", documents + "/folder/inside.txt",
                documents + "/Box.rtfd/TXT.rtf", stage.workshop.storage + "/a.txt",
            ]
            #expect(with.subtracting(without) == (try await Self.digests(stage, granted)))
            let passed = Self.contents(
                try await stage.attackInRun(
                    "walk", as: "org.example.passed",
                    ["--document", "LocalFolder:/secret.txt", "--document", "LocalFolder:/victim.txt:rw"], told))
            #expect(
                passed.subtracting(without)
                    == (try await Self.digests(stage, [documents + "/secret.txt", documents + "/victim.txt"])))
            for client in [HostileStage.client, "org.example.passed"] {
                try await stage.installation.docent("revoke", "--client", client, "--yes").succeeded()
                #expect(Self.contents(try await stage.attackInRun("walk", as: client, [], told)) == without)
            }
        }
    }

    @Test("G7: with the granted documents as files, too, exactly what was granted can be read, by path and otherwise")
    func reachInView() async throws {
        try await HostileStage.with { stage in
            let told: [String: Any] = ["everything": try await Self.everything(stage)]
            let documents = stage.installation.documents
            let lines = try await stage.attackInRun("walk", ["--view"], told)
            let without = Self.contents(try await stage.attackInRun("walk", as: "org.example.nobody", ["--view"], told))
            let granted = try await Self.digests(
                stage,
                [
                    documents + "/read.txt", documents + "/write.txt", documents + "/folder/inside.txt",
                    documents + "/Box.rtfd/TXT.rtf", stage.workshop.storage + "/a.txt",
                ])
            #expect(Self.contents(lines).subtracting(without) == granted)
            let files = Set(lines.filter { $0.attack == "file" }.map(\.came)).subtracting(without)
            #expect(files == granted, "every granted document has a path")
            try await stage.installation.docent("revoke", "--client", HostileStage.client, "--yes").succeeded()
            #expect(Self.contents(try await stage.attackInRun("walk", ["--view"], told)) == without)
        }
    }

    /// The digests of all files that could be read.
    private static func contents(_ lines: [HostileLine]) -> Set<String> {
        Set(lines.filter { ["file", "document"].contains($0.attack) }.map(\.came))
    }

    private static func digests(_ stage: HostileStage, _ paths: [String]) async throws -> Set<String> {
        let text = try await stage.installation.run("/usr/bin/sha256sum", paths).succeeded().text
        return Set(text.split(separator: "\n").map { String($0.prefix(64)) })
    }

    /// Every item of both providers, as an unconfined program sees them.
    private static func everything(_ stage: HostileStage) async throws -> [[String]] {
        let outside = stage.installation.client("org.docent.cli")
        defer { outside.close() }
        var found: [[String]] = []
        var folders: [Wire.Location] = ["LocalFolder", stage.workshop.shape.identifier].map {
            .init(provider: $0, domain: "", path: "/")
        }
        while let folder = folders.popLast() {
            // A package is not listed; its elements have no names of their own then.
            guard
                let items = try? await outside.call(PickerInterface.ListFolder.self, .init(location: folder)).value
                    .items
            else { continue }
            for item in items {
                found.append([item.reference.provider, item.reference.domain, item.reference.identifier])
                if item.isFolder {
                    let path = (folder.path == "/" ? "" : folder.path) + "/" + item.name
                    folders.append(.init(provider: folder.provider, domain: "", path: path))
                }
            }
        }
        return found
    }
}
