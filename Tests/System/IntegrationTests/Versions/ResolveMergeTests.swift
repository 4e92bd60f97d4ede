import DocentTestSupport
import Foundation
import Testing

/// Settling a conflict by the user's merge tool, with a real configuration of git.
@Suite(.needs(.daemon, .server)) struct ResolveMergeTests {
    private struct Conflict: Decodable {
        var name: String
    }

    /// A document that was "old" when "mine" was saved here and "theirs" on the server.
    private struct Collision {
        let remote: RemoteInstallation
        let name: String

        var home: String { remote.installation.home }

        func git(_ arguments: String...) async throws {
            try await remote.installation.run("/usr/bin/git", arguments).succeeded()
        }

        /// Chooses a tool with a command of its own.
        func choose(_ command: String) async throws {
            try await git("config", "--global", "merge.tool", "test")
            try await git("config", "--global", "mergetool.test.cmd", command)
        }

        func resolve() async throws -> Outcome {
            try await remote.docent("resolve", remote.location(name), "--keep", "merge")
        }

        func conflicts() async throws -> [Conflict] {
            try await remote.docent("conflicts", "--json").succeeded().json([Conflict].self)
        }

        /// The folders that merges have left behind.
        func leftovers() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: remote.installation.root + "/tmp")
                .filter { $0.hasPrefix("docent-merge") }
        }

        /// Whether nothing has changed, here and on the server.
        func isUntouched() async throws -> Bool {
            let isDrained = try await remote.drain().status == 0
            let stored = try await remote.server.text(name)
            let count = try await conflicts().count
            return isDrained && stored == "theirs" && count == 1
        }
    }

    private static func with(_ name: String = "a.txt", _ body: (Collision) async throws -> Void) async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", name)
        } _: { remote in
            try await RemoteHistoryTests.collide(remote, name)
            try await body(Collision(remote: remote, name: name))
        }
    }

    @Test(
        "V6: the tool gets base, mine and theirs in files with plain names, and its result is saved like any other content",
        arguments: ["a.txt", "b $(touch pwned) ';touch pwned;' c.txt"])
    func merges(_ name: String) async throws {
        try await Self.with(name) { collision in
            let remote = collision.remote
            try await collision.choose(
                #"ls > "$HOME/files"; cat $BASE $LOCAL $REMOTE > "$HOME/seen"; printf both > $MERGED; ls >> "$HOME/files""#
            )
            // What a repository in the current folder wishes is not run, and neither what one above the files does.
            for folder in [collision.home, remote.installation.root + "/tmp"] {
                try await collision.git("init", "-q", folder)
                for (key, value) in [
                    ("merge.tool", "evil"), ("mergetool.evil.cmd", #"touch "$HOME/evil""#),
                    ("mergetool.test.cmd", #"touch "$HOME/evil""#),
                ] { try await collision.git("-C", folder, "config", key, value) }
            }

            let outcome = try await collision.resolve()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text(name) == "both")
            #expect(try await collision.conflicts().isEmpty && collision.leftovers().isEmpty)
            #expect(remote.installation.read(collision.home + "/seen") == "oldminetheirs")
            let files = Set((remote.installation.read(collision.home + "/files") ?? "").split(separator: "\n"))
            #expect(files == ["base.txt", "begun.txt", "merged.txt", "mine.txt", "theirs.txt"])
            #expect(!FileManager.default.fileExists(atPath: collision.home + "/evil"))
            // Both sides can be taken back.
            let location = remote.location(name)
            let history = try await HistoryTests.history(remote.installation, location)
            var kept: [String] = []
            for version in history.dropFirst() {
                kept.append(try await HistoryTests.show(remote.installation, location, version))
            }
            #expect(kept.contains("mine") && kept.contains("theirs"), "\(kept)")
            let late = try await collision.resolve()
            #expect(late.status == 0 && late.errors.contains("no unresolved conflicts"), "\(late.errors)")
        }
    }

    @Test("V6: a tool that fails, or decides nothing, leaves everything as it was")
    func fails() async throws {
        try await Self.with { collision in
            let none = try await collision.resolve()
            #expect(none.status == 1 && none.errors.contains("git config --global merge.tool"), "\(none.errors)")
            for (command, status) in [
                (#"printf both > "$MERGED"; exit 3"#, 1), (#"kill -9 $$"#, 1), ("true", 6),
                (#"printf x >> "$MERGED""#, 6), (#"rm "$MERGED""#, 2),
                (#"ln -sf "$LOCAL" "$MERGED" && rm "$LOCAL""#, 2),
                ("no-such-program", 1),
            ] {
                try await collision.choose(command)
                let outcome = try await collision.resolve()
                #expect(Int(outcome.status) == status, "\(command): \(outcome.errors)")
                #expect(try collision.leftovers().isEmpty, "\(command)")
            }
            #expect(try await collision.isUntouched())
        }
    }

    @Test("V6: a document that changed while the tool ran is not overwritten, and the merged content stays in a file")
    func changed() async throws {
        try await Self.with { collision in
            let remote = collision.remote
            try await collision.choose(
                #"printf both > "$MERGED"; printf newer | docent write \#(remote.location("a.txt"))"#)
            let outcome = try await collision.resolve()
            #expect(outcome.status == 6, "\(outcome.errors)")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "newer")
            #expect(try await collision.conflicts().count == 1)
            let folder = try #require(try collision.leftovers().first)
            let file = remote.installation.root + "/tmp/" + folder + "/merged.txt"
            #expect(remote.installation.read(file) == "both")
            #expect(outcome.errors.contains(folder + "/merged.txt"), "\(outcome.errors)")

            try await collision.choose(#"cat "$LOCAL" "$REMOTE" > "$MERGED""#)
            try await collision.resolve().succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "minenewer")
            #expect(try await collision.conflicts().isEmpty)
        }
    }

    @Test("V6: a tool that git knows by its name is run as git runs it")
    func known() async throws {
        try await Self.with { collision in
            let remote = collision.remote
            let tool = collision.home + "/kdiff3"
            try Data(
                #"""
                #!/bin/sh
                while [ "$1" != -o ]; do shift; done
                cat "$3" "$4" "$5" > "$2"
                """#.utf8
            ).write(to: URL(filePath: tool))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
            try await collision.git("config", "--global", "merge.tool", "kdiff3")
            try await collision.git("config", "--global", "mergetool.kdiff3.path", tool)
            let outcome = try await collision.resolve()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "oldminetheirs")
            #expect(try await collision.conflicts().isEmpty && collision.leftovers().isEmpty)
        }
    }
}
