import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Nothing that a program has written is lost, whatever others do meanwhile.
@Suite(.needs(.daemon)) struct ViewLossTests {
    /// A program that opens a file, says so, waits and goes on.
    private static func holding(
        _ world: ViewWorld, _ before: String, _ after: String, meanwhile: () async throws -> Void
    ) async throws -> String {
        let home = world.view.installation.home
        let script = """
            import os, time
            \(before)
            open(os.path.expanduser("~/ready"), "w").close()
            while not os.path.exists(os.path.expanduser("~/go")): time.sleep(0.02)
            \(after)
            """
        try Data(script.utf8).write(to: URL(filePath: home + "/hold.py"))
        let program = Task { try await world.run("python3 ~/hold.py 2>&1") }
        try await world.view.installation.eventually("the program has opened the file") {
            FileManager.default.fileExists(atPath: home + "/ready")
        }
        try await meanwhile()
        _ = FileManager.default.createFile(atPath: home + "/go", contents: nil)
        return try await program.value.text
    }

    @Test("a document that somebody removes while it is written is there again when it is saved")
    func removed() async throws {
        try await ViewWorld.with { world in
            let documents = world.view.installation.documents
            let said = try await Self.holding(
                world, "f = open('a.txt', 'r+'); f.read(); f.write('more'); f.flush()", "f.close()"
            ) {
                try FileManager.default.removeItem(atPath: documents + "/a.txt")
                // Seen by the view.
                try await world.view.installation.eventually("another listing") {
                    try world.view.installation.write("", to: "x\(UUID().uuidString)")
                    return try await world.run("ls | wc -l").succeeded().text != "1\n"
                }
            }
            #expect(said.isEmpty, "\(said)")
            #expect(world.stored("a.txt") == "hello\nmore")
            #expect(try await world.run("cat a.txt").succeeded().text == "hello\nmore")
        }
    }

    @Test("if the name was taken meanwhile, both documents are there")
    func nameTaken() async throws {
        try await ViewWorld.with { world in
            let said = try await Self.holding(
                world, "f = open('new.txt', 'w'); f.write('mine'); f.flush()", "f.close()"
            ) {
                try world.view.installation.write("theirs", to: "new.txt")
            }
            #expect(said.isEmpty, "\(said)")
            let names = try world.names()
            #expect(names.count == 3 && names.contains { $0.hasPrefix("new (recovered ") }, "\(names)")
            #expect(Set(names.compactMap { world.stored($0) }) == ["hello\n", "mine", "theirs"])
        }
    }

    @Test("if the folder has gone too, the content is a file of this machine")
    func folderGone() async throws {
        try await ViewWorld.with { world in
            try await world.run("mkdir sub").succeeded()
            let said = try await Self.holding(
                world, "f = open('sub/b.txt', 'w'); f.write('precious'); f.flush()", "f.close()"
            ) {
                try FileManager.default.removeItem(atPath: world.view.installation.documents + "/sub")
            }
            #expect(said.contains("FileNotFoundError"), "\(said)")
            let recovered = world.view.installation.home + "/.local/state/docent/view/recovered/b.txt"
            #expect(world.view.installation.read(recovered) == "precious")
        }
    }

    @Test("what was read before somebody else's change, and is written after it, is kept beside that change")
    func changedBetween() async throws {
        try await ViewWorld.with { world in
            let said = try await Self.holding(
                world, "f = open('a.txt', 'r+'); f.read()", "f.seek(0); f.write('H'); f.close()"
            ) {
                // As editors save: another file takes its place.
                let documents = world.view.installation.documents
                try Data("theirs, much longer\n".utf8).write(
                    to: URL(filePath: documents + "/a.txt"), options: .atomic)
                try await world.view.installation.eventually("their content") {
                    try await world.run("cat a.txt").succeeded().text == "theirs, much longer\n"
                }
            }
            let contents = try world.names().compactMap { world.stored($0) }
            #expect(said.isEmpty, "\(said)")
            #expect(Set(contents) == ["Hello\n", "theirs, much longer\n"], "\(contents)")
        }
    }

    @Test("a document that an editor has renamed to its copy stays the same one when the view is killed in between")
    func departureAndKill() async throws {
        try await ViewWorld.with { world in
            let identifier = try await world.identifier("a.txt")
            try await world.run("mv a.txt a.txt~").succeeded()
            let server = try #require(try await world.view.status().first?.processIdentifier)
            kill(server, SIGKILL)
            try await world.run("test ! -e a.txt && printf new > a.txt").succeeded()
            #expect(try await world.view.status().first?.processIdentifier != server)
            #expect(world.stored("a.txt") == "new")
            #expect(try await world.identifier("a.txt") == identifier)
            #expect(try await world.run("cat a.txt~").succeeded().text == "hello\n")
            #expect(try world.names() == ["a.txt"])
        }
    }

    @Test("what is written to the copy of a document is in the document that takes its name")
    func changedCopy() async throws {
        try await ViewWorld.with(departure: 1) { world in
            let identifier = try await world.identifier("a.txt")
            let said = try await Self.holding(
                world, "os.rename('a.txt', 'a.txt~'); f = open('a.txt~', 'a')", "f.write('more'); f.close()"
            ) {
                // Longer than a name stays empty.
                try await Task.sleep(for: .seconds(2))
                #expect(try world.names() == ["a.txt"])
            }
            #expect(said.isEmpty, "\(said)")
            try await world.view.installation.eventually("the document has its new name") {
                try world.names() == ["a.txt~"]
            }
            try await world.view.installation.eventually("its content") { world.stored("a.txt~") == "hello\nmore" }
            #expect(try await world.run("cat a.txt~").succeeded().text == "hello\nmore")
            // The provider has it before the view does.
            try await world.view.installation.eventually("its identifier") {
                try await world.identifier("a.txt~") == identifier
            }
        }
    }
}
