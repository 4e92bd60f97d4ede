import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A client that creates something at a path where its next sandbox mounts a file.
@Suite(.needs(.daemon)) struct RunPlaceTests {
    @Test(
        "A link or another file at the path of a passed document hinders no later run, and no document is shown elsewhere"
    )
    func documents() async throws {
        let traps = [
            "ln -s ~/other Granted", "ln -s /etc Granted", "ln -s \"/oldroot$1\" Granted",
            "ln -s loop Granted; ln -s Granted loop", "echo x > Granted",
        ]
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            for (number, trap) in traps.enumerated() {
                let client = "org.example.Boxed\(number)"
                let made = try await installation.sandboxed(
                    client, [], "mkdir other; \(trap); ln -s ~/other \"$XDG_RUNTIME_DIR/granted\"",
                    arguments: [installation.documents])
                #expect(made.status == 0, "\(trap): \(made.errors)")
                for _ in 0..<2 {
                    let outcome = try await installation.sandboxed(
                        client, ["--document", "LocalFolder:/a.txt"], "cat \"$1\"; ls ~/other", arguments: ["{}"])
                    #expect(outcome.status == 0 && outcome.text == "hello", "\(trap): \(outcome.errors)")
                }
            }
        }
    }

    @Test("A program of the user is shown whatever the client has put at its path before, and no link is followed")
    func programs() async throws {
        let traps = [
            "ln -s ~/other tools", "ln -s \"$1\" tools", "ln -s \"/oldroot$1\" tools", "ln -s /etc tools",
            "ln -s tools tools", "echo mine > tools",
            "mkfifo tools", "mkdir tools; ln -s ~/other/tool tools/tool",
            "mkdir tools; ln -s \"/oldroot$1/made\" tools/tool", "mkdir -p tools/tool/full",
            "mkdir tools; mkfifo tools/tool", "mkdir tools; chmod 0 tools", "mkdir tools; echo mine > tools/tool",
        ]
        try await Installation.withLocalFolder { installation in
            let folder = installation.home + "/tools"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await ProgramFile.write("#!/bin/sh\necho runs; ls -A ~/other \"$1\"", to: folder + "/tool")
            for (number, trap) in traps.enumerated() {
                let client = "org.example.Boxed\(number)"
                let made = try await installation.sandboxed(
                    client, [], "mkdir other; \(trap)", arguments: [installation.documents])
                #expect(made.status == 0, "\(trap): \(made.errors)")
                for program in ["tools/tool", "./tools/../tools/tool"] {
                    let outcome = try await installation.run(
                        Installation.binaries + "/docent",
                        ["run", "--client", client, "--", program, installation.home + "/other"])
                    #expect(
                        outcome.status == 0 && outcome.text.hasPrefix("runs\n"),
                        "\(program), \(trap): \(outcome.errors)")
                    #expect(!outcome.text.contains("tool\n"), "\(program), \(trap): \(outcome.text)")
                }
                // bubblewrap has the user's own file tree mounted there, before it unmounts it.
                let documents = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
                #expect(documents.isEmpty, "\(trap): \(documents)")
            }
        }
    }

    @Test("A file that was at the path is kept beside it")
    func kept() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = installation.home + "/tools"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await installation.sandboxed("org.example.Boxed", [], "echo mine > tools").succeeded()
            let outcome = try await installation.sandboxed(
                "org.example.Boxed", ["--program-directory", folder], "[ -d tools ] && cat tools.moved-*")
            #expect(try outcome.succeeded().text == "mine\n", "\(outcome.errors)")
        }
    }
}
