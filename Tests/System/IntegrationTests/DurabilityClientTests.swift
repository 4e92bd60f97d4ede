import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// kill -9 of the client program, at its own steps of move and in the middle of its input.
@Suite(.needs(.daemon)) struct DurabilityClientTests {
    private static let text = Installation.content("client")

    @Test(
        "W Move (d) to (f): a client killed after a step leaves at most a duplicate, never a loss",
        arguments: ["d", "e", "f"])
    func killedMove(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            let source = try installation.makeSource(Self.text)
            let moved = try await installation.docent(
                "move", source, "LocalFolder:/", environment: ["DOCENT_TEST_CRASH_AFTER_MOVE": step])
            #expect(moved.signal == SIGKILL)
            #expect(installation.read(installation.documents + "/source.txt") == Self.text)
            #expect(!FileManager.default.fileExists(atPath: source))
            let hidden = try FileManager.default.contentsOfDirectory(atPath: installation.home)
                .filter { $0.hasPrefix(".docent-moved-") }
            #expect(hidden.count == (step == "f" ? 0 : 1))
            for name in hidden { #expect(installation.read("\(installation.home)/\(name)") == Self.text) }
            #expect(installation.leftovers.isEmpty)
            // The daemon is not affected, and the moved document can be used.
            let read = try await installation.docent("cat", "LocalFolder:/source.txt").succeeded()
            #expect(read.text == Self.text)
        }
    }

    @Test(
        "W0: a client killed before the end of its input changes nothing, and its content becomes a recovered version")
    func killedWrite() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            let (process, input) = try installation.spawn(["write", "LocalFolder:/a.txt"])
            try input.write(contentsOf: Data(Self.text.utf8))
            try await installation.eventually("the daemon has the staged file") {
                installation.leftovers.contains {
                    installation.read("\(installation.data)/\($0)")?.utf8.count == Self.text.utf8.count
                }
            }
            kill(process.processIdentifier, SIGKILL)
            try await installation.waitForEnd(of: process)
            try await installation.eventually("the staged file is kept elsewhere") { installation.leftovers.isEmpty }
            #expect(installation.read(installation.documents + "/a.txt") == "old")
            #expect(installation.versions == [Self.text])
            try input.close()
            try await installation.docent("write", "LocalFolder:/a.txt", input: Data("next".utf8)).succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "next")
        }
    }

    @Test("W: a client killed before the end of its input creates no document, and leaves nothing in /var/tmp")
    func killedCreation() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = installation.root + "/tmp"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let (process, input) = try installation.spawn(
                ["write", "LocalFolder:/new.txt"], environment: ["TMPDIR": folder])
            try input.write(contentsOf: Data(Self.text.utf8))
            kill(process.processIdentifier, SIGKILL)
            try await installation.waitForEnd(of: process)
            try input.close()
            #expect(installation.documentNames.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
        }
    }

    @Test(
        "W: a client killed at any moment of a large export or write leaves the old or the new document, and no temporary files",
        arguments: Sample.shared.of(Array(0..<8)))
    func killedAtAnyMoment(round: Int) async throws {
        try await Installation.withLocalFolder { installation in
            let old = Installation.content("old")
            let new = Installation.content("new", lines: 400_000)
            try installation.write(old, to: "a.txt")
            let source = try installation.makeSource(new)
            let isExport = round.isMultiple(of: 2)
            let arguments = isExport ? ["export", source, "LocalFolder:/"] : ["write", "LocalFolder:/a.txt"]
            let (process, input) = try installation.spawn(arguments)
            let feeding = Task.detached {
                if !isExport { try? input.write(contentsOf: Data(new.utf8)) }
                try? input.close()
            }
            try await Task.sleep(for: .milliseconds(30 + 25 * round))
            kill(process.processIdentifier, SIGKILL)
            try await installation.waitForEnd(of: process)
            await feeding.value
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            let copy = installation.read(installation.documents + "/source.txt")
            #expect(copy == nil || copy == new)
            let document = installation.read(installation.documents + "/a.txt")
            #expect(document == old || document == new)
            #expect(installation.documentNames.allSatisfy { ["a.txt", "source.txt"].contains($0) })
            #expect(installation.read(source) == new)
            try await installation.eventually("nothing is queued") {
                try await installation.status().pendingOperations == 0
            }
        }
    }
}
