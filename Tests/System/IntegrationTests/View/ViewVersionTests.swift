import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Programs open earlier versions of documents by path.
@Suite(.needs(.daemon)) struct ViewVersionTests {
    /// A document with the current content "hello" and the versions "first" and "second".
    private static func with(_ body: (ViewWorld) async throws -> Void) async throws {
        try await ViewWorld.with { world in
            try await world.run("printf first > a.txt && printf second > a.txt && printf hello > a.txt").succeeded()
            try await body(world)
        }
    }

    @Test("the folder of versions is not listed, but can be opened, and has what each save replaced")
    func reads() async throws {
        try await Self.with { world in
            #expect(try await world.run("ls -A").succeeded().text == "a.txt\n")
            #expect(try await world.run("ls -A .versions").succeeded().text == "a.txt\n")
            let contents = try await world.run(
                "cd .versions/a.txt && for v in *; do cat \"$v\"; echo; done | sort"
            ).succeeded().text
            #expect(contents == "\nfirst\nhello\nsecond\n")
            let names = try await world.run("ls .versions/a.txt").succeeded().text.split(separator: "\n")
            #expect(names.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) }, "\(names)")
            // What its attribute says is what the commands take.
            let version = try await world.run(
                "cd .versions/a.txt && getfattr --only-values -n user.docent.version \"$(grep -l second *)\""
            ).succeeded().text
            let shown = try await world.view.installation.docent(
                "show", "LocalFolder:/a.txt", "--version", version)
            #expect(try shown.succeeded().text == "second")
        }
    }

    @Test("nothing can be changed there")
    func readOnly() async throws {
        try await Self.with { world in
            let before = try await world.run("cd .versions/a.txt && ls -l --time-style=+%s && cat *").succeeded().text
            for script in [
                "for v in .versions/a.txt/*; do echo x > \"$v\"; done", "echo x >> .versions/a.txt/new",
                "rm -f .versions/a.txt/*", "rm -rf .versions", "mkdir .versions/a", "mkdir .versions",
                "mv .versions/a.txt b", "mv a.txt .versions/b", "mv a.txt .versions/a.txt/b", "ln a.txt .versions/c",
                "touch -d 2001-01-01 .versions/a.txt/*", "truncate -s 0 .versions/a.txt/*",
                "setfattr -n user.x -v 1 .versions/a.txt", "cp a.txt .versions/d",
            ] {
                let outcome = try await world.run(script)
                #expect(outcome.status != 0, "\(script)")
            }
            #expect(
                try await world.run("cd .versions/a.txt && ls -l --time-style=+%s && cat *").succeeded().text == before)
            #expect(try world.names() == ["a.txt"] && world.stored("a.txt") == "hello")
        }
    }

    @Test("what has no versions has no such folder, and a document that has the name is shown")
    func others() async throws {
        try await Self.with { world in
            try await world.run("mkdir sub && echo y > c.swp").succeeded()
            try world.view.installation.write("x", to: "sub/b.txt")
            for path in [".versions/sub", ".versions/none", ".versions/c.swp", ".versions/..x", "a.txt/.versions"] {
                let outcome = try await world.run("ls '\(path)'")
                #expect(outcome.status != 0, "\(path): \(outcome.text)")
            }
            #expect(try await world.run("ls -A sub/.versions/b.txt | wc -l").succeeded().text == "0\n")
            let top = try await world.view.run("ls", ".versions")
            #expect(top.status != 0)
            try FileManager.default.createDirectory(
                atPath: world.view.installation.documents + "/sub/.versions", withIntermediateDirectories: false)
            try world.view.installation.write("own", to: "sub/.versions/own.txt")
            try await world.view.installation.eventually("the provider's own folder is shown") {
                try await world.run("cat sub/.versions/own.txt").text == "own"
            }
        }
    }

    @Test("a version stays open when the process that serves is killed, and is found again")
    func killed() async throws {
        try await Self.with { world in
            let name = try await world.run("cd .versions/a.txt && grep -l first *").succeeded().text.split(
                separator: "\n")[0]
            let path = "\(world.view.folder)/\(world.account)/.versions/a.txt/\(name)"
            for _ in 0..<3 {
                let file = try await Task.detached { try FileHandle(forReadingFrom: URL(filePath: path)) }.value
                let server = try #require(try await world.view.status().first?.processIdentifier)
                kill(server, SIGKILL)
                let content = try await Task.detached { try file.readToEnd() }.value
                #expect(content == Data("first".utf8))
                try await world.view.installation.eventually("the path leads there again") {
                    try await world.run("cat '.versions/a.txt/\(name)'").text == "first"
                }
            }
        }
    }

    @Test("a version of a package is a folder, which is found by the name of the package")
    func packages() async throws {
        try await Self.with { world in
            let installation = world.view.installation
            try installation.makePackage("p.rtfd", ["TXT.rtf": "old", "b/c.txt": "c"])
            let client = installation.client()
            try await installation.openPackage("p.rtfd", client: client).save(["TXT.rtf": "new"])
            client.close()
            try await installation.eventually("the package is shown") {
                try await world.run("cat .versions/p.rtfd/*/TXT.rtf").text == "old"
            }
            let names = try await world.run("cd .versions/p.rtfd/* && find . | sort").succeeded().text
            #expect(names == ".\n./TXT.rtf\n./b\n./b/c.txt\n")
            #expect(try await world.run("cat .versions/p.rtfd/*/b/c.txt").succeeded().text == "c")
            for script in [
                "echo x > .versions/p.rtfd/*/TXT.rtf", "rm -rf .versions/p.rtfd/*", "mkdir .versions/p.rtfd/*/d",
                "cat .versions/p.rtfd/*/absent", "ls .versions/p.rtfd/*/TXT.rtf/x",
            ] {
                let outcome = try await world.run(script)
                #expect(outcome.status != 0, "\(script)")
            }
            #expect(try await world.run("cat .versions/p.rtfd/*/TXT.rtf").succeeded().text == "old")
        }
    }
}
