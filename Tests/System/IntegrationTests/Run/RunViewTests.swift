import DocentTestSupport
import Foundation
import Glibc
import Testing

/// What a confined program was granted, as files (`docent run --view`).
@Suite(.needs(.daemon)) struct RunViewTests {
    private static let client = "org.example.Boxed"

    /// An installation with documents, of which `read.txt` and `shown` are granted for reading, and `write.txt` and
    /// `folder` for writing too.
    private static func with(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            for folder in ["shown/deep", "folder/deep"] {
                try FileManager.default.createDirectory(
                    atPath: "\(installation.documents)/\(folder)", withIntermediateDirectories: true)
            }
            for name in ["read.txt", "write.txt", "secret.txt", "shown/a.txt", "folder/b.txt", "folder/deep/c.txt"] {
                try installation.write("the content of \(name)\n", to: name)
            }
            for name in ["read.txt", "shown"] { try await grant(installation, name, ["--read-only"]) }
            for name in ["write.txt", "folder"] { try await grant(installation, name) }
            try await body(installation)
        }
    }

    private static func grant(_ installation: Installation, _ name: String, _ options: [String] = []) async throws {
        let arguments = ["grants", "add", client, "LocalFolder:/\(name)"] + options
        _ = try await installation.run(Installation.binaries + "/docent", arguments).succeeded()
    }

    /// Runs a script in the folder of the account.
    private static func run(_ installation: Installation, _ script: String) async throws -> Outcome {
        try await installation.sandboxed(
            client, ["--view", "--no-picks"], "cd \"$DOCENT_VIEW_FOLDER/LocalFolder\" || exit 99\n" + script,
            environment: ["DOCENT_VIEW_LOG_FILE": installation.root + "/view-log"])
    }

    /// Starts the same and does not wait.
    private static func start(_ installation: Installation, _ script: String) throws -> ChildProcess {
        try installation.startSandboxed(
            client, ["--view", "--no-picks"], "cd \"$DOCENT_VIEW_FOLDER/LocalFolder\" || exit 99\n" + script,
            errors: installation.root + "/errors")
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private static func touch(_ path: String) { _ = FileManager.default.createFile(atPath: path, contents: nil) }

    /// The mounts of runs of this installation outside their sandboxes, and the folders for them.
    private static func left(_ installation: Installation) throws -> [String] {
        let runtime = (installation.socket as NSString).deletingLastPathComponent
        let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
            .split(separator: "\n").filter { $0.contains("fuse.docent-run") && $0.contains(runtime) }.map(String.init)
        let folders = try FileManager.default.contentsOfDirectory(atPath: runtime).filter { $0.hasPrefix("v-") }
        return mounts + folders
    }

    @Test("G7: exactly what was granted is listed and read, with modes that say what may be written")
    func reads() async throws {
        try await Self.with { installation in
            let outcome = try await Self.run(
                installation,
                """
                echo "$DOCENT_VIEW_FOLDER"; ls "$DOCENT_VIEW_FOLDER"; find . -type f | sort; cat read.txt folder/deep/c.txt
                stat -c '%a %n' . read.txt write.txt shown shown/a.txt folder folder/b.txt; ls secret.txt ../secret.txt
                """)
            #expect(
                outcome.text == """
                    /run/user/\(getuid())/documents
                    LocalFolder
                    ./folder/b.txt
                    ./folder/deep/c.txt
                    ./read.txt
                    ./shown/a.txt
                    ./write.txt
                    the content of read.txt
                    the content of folder/deep/c.txt
                    700 .
                    400 read.txt
                    600 write.txt
                    500 shown
                    400 shown/a.txt
                    700 folder
                    600 folder/b.txt

                    """, "\(outcome.errors)")
            #expect(outcome.errors.contains("No such file"))
            #expect(try Self.left(installation).isEmpty)
            // Without the option there is no such folder.
            let plain = try await installation.sandboxed(
                Self.client, ["--no-picks"], "echo \"[$DOCENT_VIEW_FOLDER]\"; ls \"$XDG_RUNTIME_DIR\"")
            #expect(try plain.succeeded().text == "[]\ndocent\n")
        }
    }

    @Test("what may be written is saved as versions of the same documents; everything else is refused")
    func writes() async throws {
        try await Self.with { installation in
            let outcome = try await Self.run(
                installation,
                """
                set -e
                echo new > write.txt; echo more >> write.txt; sed -i s/new/NEW/ write.txt
                echo made > folder/made.txt; echo swap > folder/.made.txt.swp; rm folder/b.txt
                mv folder/deep/c.txt folder/moved.txt
                set +e
                for attempt in 'echo x >> read.txt' 'echo x > read.txt' 'truncate -s 0 read.txt' 'rm read.txt' \
                    'mv read.txt folder/read.txt' 'echo x > shown/new.txt' 'rm shown/a.txt' 'mv shown/a.txt folder/a.txt' \
                    'mv folder/made.txt shown/made.txt' 'echo x > beside.txt' 'mkdir folder/new' 'ln write.txt folder/l' \
                    'ln -s /etc/passwd folder/l' 'mknod folder/p p' 'echo x > ../x' 'mkdir ../x' \
                    'mv folder ../folder' 'chown 0 write.txt'; do
                    (eval "$attempt") 2>/dev/null && echo "could: $attempt"
                done; cat read.txt
                """)
            #expect(try outcome.succeeded().text == "the content of read.txt\n", "\(outcome.errors)")
            func stored(_ name: String) -> String? { installation.read("\(installation.documents)/\(name)") }
            #expect(stored("write.txt") == "NEW\nmore\n")
            #expect(stored("folder/made.txt") == "made\n")
            #expect(stored("folder/moved.txt") == "the content of folder/deep/c.txt\n")
            #expect(stored("folder/b.txt") == nil && stored("folder/.made.txt.swp") == nil)
            #expect(stored("read.txt") == "the content of read.txt\n")
            #expect(stored("shown/a.txt") == "the content of shown/a.txt\n")
            // The right is one to the same document still.
            #expect(try await Self.run(installation, "cat write.txt").succeeded().text == "NEW\nmore\n")
        }
    }

    @Test("I3: what is granted while the program runs appears, and what is revoked disappears, open folders included")
    func changes() async throws {
        try await Self.with { installation in
            let home = { installation.privateHome(Self.client, $0) }
            let run = try Self.start(
                installation,
                """
                cd folder/deep; exec 5< ../b.txt
                while [ ! -e ~/stop ]; do
                    { ls "$DOCENT_VIEW_FOLDER"/LocalFolder; echo "in:"; ls .; ls ..
                      echo "again:"; cat c.txt; cat /proc/self/fd/5; } > ~/new 2>/dev/null; mv ~/new ~/seen; sleep 0.1
                done
                """)
            func seen() -> [String] {
                (installation.read(home("seen")) ?? "").split(separator: "\n").map(String.init)
            }
            try await installation.eventually("all is listed") { seen().count == 11 }
            #expect(
                seen() == [
                    "folder", "read.txt", "shown", "write.txt", "in:", "c.txt", "b.txt", "deep", "again:",
                    "the content of folder/deep/c.txt", "the content of folder/b.txt",
                ])
            try await installation.docent("revoke", "--client", Self.client, "LocalFolder:/folder", "--yes").succeeded()
            try await installation.eventually("nothing of the folder is seen") {
                seen() == ["read.txt", "shown", "write.txt", "in:", "again:"]
            }
            try await Self.grant(installation, "secret.txt", ["--read-only"])
            try await installation.eventually("a new right is seen") { seen().contains("secret.txt") }
            try await installation.docent("revoke", "--client", Self.client, "--yes").succeeded()
            try await installation.eventually("nothing is seen") { seen() == ["in:", "again:"] }
            Self.touch(home("stop"))
            run.waitUntilExit()
            #expect(try Self.left(installation).isEmpty)
        }
    }

    @Test("what others have changed since a program read the document is not overwritten: both contents are kept")
    func conflict() async throws {
        try await Self.with { installation in
            let home = { installation.privateHome(Self.client, $0) }
            let run = try Self.start(
                installation,
                """
                python3 -c '
                import os, time
                home = os.environ["HOME"]
                f = open("write.txt", "r+")
                f.read()
                open(home + "/ready", "w").close()
                while not os.path.exists(home + "/go"): time.sleep(0.05)
                f.write("mine\\n")
                f.close()
                '
                """)
            try await installation.eventually("it has read") { Self.exists(home("ready")) }
            try await installation.run(
                Installation.binaries + "/docent", ["write", "LocalFolder:/write.txt"], input: Data("theirs\n".utf8)
            ).succeeded()
            Self.touch(home("go"))
            run.waitUntilExit()
            let now = installation.read(installation.documents + "/write.txt") ?? ""
            #expect(now == "theirs\n" || now == "the content of write.txt\nmine\n", "\(now)")
            let kept = try await installation.docent("versions", "list", "--json").succeeded().text
            let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
            #expect(kept.contains("write.txt") || names.contains { $0.contains("write") && $0 != "write.txt" })
        }
    }

    @Test("a revoked program cannot save, and what it wrote is kept for the user")
    func unsaved() async throws {
        try await Self.with { installation in
            let home = { installation.privateHome(Self.client, $0) }
            let run = try Self.start(
                installation,
                // A shell closes copies of the descriptor, and each of them saves.
                """
                python3 -c '
                import os, time
                home = os.environ["HOME"]
                f = os.open("write.txt", os.O_WRONLY | os.O_APPEND)
                os.write(f, b"not saved\\n")
                open(home + "/ready", "w").close()
                while not os.path.exists(home + "/go"): time.sleep(0.05)
                try:
                    os.close(f)
                except OSError:
                    pass
                '
                """)
            try await installation.eventually("it has written") { Self.exists(home("ready")) }
            try await installation.docent("revoke", "--client", Self.client, "--yes").succeeded()
            Self.touch(home("go"))
            run.waitUntilExit()
            #expect(installation.read(installation.documents + "/write.txt") == "the content of write.txt\n")
            let kept = "\(installation.data)/Clients/\(Self.client)/view/recovered"
            #expect(installation.read(kept + "/write.txt") == "the content of write.txt\nnot saved\n")
            #expect(installation.read(installation.root + "/errors")?.contains(kept) == true)
        }
    }

    @Test(
        "kills: the view goes on without the process that serves it or the one that keeps it, and nothing is left of a killed run",
        arguments: ["run", "serve", "keep"])
    func kills(victim: String) async throws {
        try await Self.with { installation in
            let home = { installation.privateHome(Self.client, $0) }
            let run = try Self.start(
                installation,
                """
                exec 5>>write.txt; echo one >&5; touch ~/ready; while [ ! -e ~/go ]; do sleep 0.05; done
                echo two >&5; cat write.txt > ~/read; exec 5>&-; touch ~/done; while [ ! -e ~/stop ]; do sleep 0.05; done
                """)
            try await installation.eventually("it has written") { Self.exists(home("ready")) }
            try await installation.eventually("only the sandbox has the folder") {
                try Self.left(installation).isEmpty
            }
            let views = Self.processes(of: installation)
            switch victim {
            case "run": run.send(SIGKILL)
            case "serve": kill(try #require(views.first { $0.arguments.contains("--serve") }).number, SIGKILL)
            default: kill(try #require(views.first { !$0.arguments.contains("--serve") }).number, SIGKILL)
            }
            Self.touch(home("go"))
            if victim != "run" {
                try await installation.eventually("it goes on") { Self.exists(home("done")) }
                #expect(installation.read(home("read")) == "the content of write.txt\none\ntwo\n")
                Self.touch(home("stop"))
            }
            run.waitUntilExit()
            try await installation.eventually("all processes of the view have ended") {
                Self.processes(of: installation).isEmpty
            }
            #expect(try Self.left(installation).isEmpty)
            let stored = installation.read(installation.documents + "/write.txt") ?? ""
            #expect(stored.hasPrefix("the content of write.txt\none\n"), "what was written is saved: \(stored)")
            // The next run is not in its way.
            #expect(try await Self.run(installation, "cat read.txt").succeeded().text == "the content of read.txt\n")
        }
    }

    private struct ViewProcess {
        var number: pid_t
        var arguments: [String]
    }

    /// The processes of views of runs of this installation.
    private static func processes(of installation: Installation) -> [ViewProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let number = pid_t(name), let text = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
            else { return nil }
            let arguments = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            guard arguments.contains("--run-state"), arguments.contains(where: { $0.hasPrefix(installation.data) })
            else { return nil }
            return ViewProcess(number: number, arguments: arguments)
        }
    }
}
