import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Documents passed with `docent run --document` (S6, W0).
@Suite(.needs(.daemon)) struct RunDocumentTests {
    private struct Version: Decodable { var reason: String }

    private static func versions(_ installation: Installation, _ location: String) async throws -> [String] {
        try await installation.docent("versions", location, "--json").succeeded().json([Version].self).map(\.reason)
    }

    @Test("S6: a written document is published completely when it is closed, also after replacement, and at the end")
    func writing() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            let go = installation.privateHome("org.example.Boxed", "go")
            let run = try installation.startSandboxed(
                "org.example.Boxed", ["--document", "LocalFolder:/a.txt:rw"],
                """
                step() { while [ ! -e ~/$1 ]; do sleep 0.05; done; }
                printf two > "$1"; step go; printf three > "$1.new"; mv "$1.new" "$1"; step go2
                exec 3>"$1"; printf half >&3; step go3; printf whole >&3
                """, arguments: ["{1}"], errors: installation.root + "/errors")
            func content() -> String? { installation.read(installation.documents + "/a.txt") }
            try await installation.eventually("a closed file is published") { content() == "two" }
            _ = FileManager.default.createFile(atPath: go, contents: nil)
            try await installation.eventually("a replaced one too") { content() == "three" }
            _ = FileManager.default.createFile(atPath: go + "2", contents: nil)
            for _ in 0..<20 {
                try await Task.sleep(for: .milliseconds(50))
                #expect(content() == "three", "an unfinished write is not published")
            }
            _ = FileManager.default.createFile(atPath: go + "3", contents: nil)
            run.waitUntilExit()
            #expect(run.terminationStatus == 0, "\(installation.read(installation.root + "/errors") ?? "")")
            #expect(content() == "halfwhole")
            #expect(try await Self.versions(installation, "LocalFolder:/a.txt").isEmpty)
        }
    }

    @Test(
        "W: a foreign save meanwhile is not overwritten; the program's content is kept as a version, and the exit code says so"
    )
    func conflict() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            let ready = installation.privateHome("org.example.Boxed", "ready")
            let run = try installation.startSandboxed(
                "org.example.Boxed", ["--document", "LocalFolder:/a.txt:rw"],
                "echo > ~/ready; while [ ! -e ~/go ]; do sleep 0.05; done; printf ours > \"$1\"", arguments: ["{1}"],
                errors: installation.root + "/errors")
            try await installation.eventually("the program runs") { FileManager.default.fileExists(atPath: ready) }
            try await installation.docent("write", "LocalFolder:/a.txt", input: Data("theirs".utf8)).succeeded()
            _ = FileManager.default.createFile(
                atPath: installation.privateHome("org.example.Boxed", "go"), contents: nil)
            run.waitUntilExit()
            #expect(run.terminationStatus == 6)
            #expect(installation.read(installation.documents + "/a.txt") == "theirs")
            #expect(try await Self.versions(installation, "LocalFolder:/a.txt") == ["recovered"])
        }
    }

    @Test("W0: when docent run is killed nothing is lost: the client's next run keeps unsaved content as a version")
    func killed() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            let ready = installation.privateHome("org.example.Boxed", "ready")
            let run = try installation.startSandboxed(
                "org.example.Boxed", ["--document", "LocalFolder:/a.txt:rw"],
                "exec 3>\"$1\"; printf unsaved >&3; echo > ~/ready; sleep 1000", arguments: ["{1}"],
                errors: installation.root + "/errors")
            try await installation.eventually("the program has written") {
                FileManager.default.fileExists(atPath: ready)
            }
            run.send(SIGKILL)
            run.waitUntilExit()
            let next = try await installation.sandboxed("org.example.Boxed", [], "true").succeeded()
            #expect(next.errors.contains("docent versions LocalFolder:/a.txt"), "\(next.errors)")
            #expect(installation.read(installation.documents + "/a.txt") == "one")
            #expect(try await Self.versions(installation, "LocalFolder:/a.txt") == ["recovered"])
            let runs = try FileManager.default.contentsOfDirectory(
                atPath: installation.data + "/Clients/org.example.Boxed/Runs")
            #expect(runs.isEmpty, "\(runs)")
        }
    }

    @Test("I3: after a revocation while the program runs its change is not published, and stays in its folder")
    func revoked() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            let ready = installation.privateHome("org.example.Boxed", "ready")
            let run = try installation.startSandboxed(
                "org.example.Boxed", ["--document", "LocalFolder:/a.txt:rw"],
                "echo > ~/ready; while [ ! -e ~/go ]; do sleep 0.05; done; printf ours > \"$1\"", arguments: ["{1}"],
                errors: installation.root + "/errors")
            try await installation.eventually("the program runs") { FileManager.default.fileExists(atPath: ready) }
            try await installation.docent("revoke", "--client", "org.example.Boxed", "--yes").succeeded()
            _ = FileManager.default.createFile(
                atPath: installation.privateHome("org.example.Boxed", "go"), contents: nil)
            run.waitUntilExit()
            #expect(run.terminationStatus == 3)
            #expect(installation.read(installation.documents + "/a.txt") == "one")
            let errors = installation.read(installation.root + "/errors") ?? ""
            let folder = errors.components(separatedBy: " is in ").last?.components(separatedBy: ";").first ?? ""
            #expect(installation.read(folder + "/a.txt") == "ours", "\(errors)")
        }
    }

    @Test(
        "S4, S6: a document for reading is an unchangeable snapshot; a link, a FIFO or a missing file in place of a copy is not published; a folder has no path"
    )
    func views() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("reading") { try await Self.reading(installation) }
            try await TestStep.run("planted") { try await Self.planted(installation) }
            try await TestStep.run("folder") { try await Self.folder(installation) }
        }
    }

    /// S6: a document for reading is a snapshot under its name, and every change to it is refused.
    private static func reading(_ installation: Installation) async throws {
        try installation.write("hello", to: "a.txt")
        try installation.write("other", to: "b.txt")
        let outcome = try await installation.sandboxed(
            "org.example.Reading", ["--document", "LocalFolder:/a.txt", "--document", "LocalFolder:/b.txt:ro"],
            """
            cat "$1" "$2"; echo; echo "$1"; cd "$(dirname "$1")"
            for attempt in 'echo x > a.txt' 'echo x > new' 'rm -f a.txt' 'mv a.txt z' 'chmod 777 a.txt' 'truncate -s 0 a.txt' \
                'touch a.txt' 'ln a.txt z' 'exec 3<a.txt; echo x > /proc/self/fd/3'; do
                (eval "$attempt") 2>/dev/null && echo "could: $attempt"
            done; cat ../../granted/1/a.txt
            """, arguments: ["{}"])
        #expect(
            try outcome.succeeded().text == "helloother\n/run/user/\(getuid())/granted/1/a.txt\nhello",
            "\(outcome.errors)")
        #expect(installation.read(installation.documents + "/a.txt") == "hello")
    }

    /// S4: a link, a FIFO or a missing file in place of the copy is not published.
    private static func planted(_ installation: Installation) async throws {
        for (name, command) in [("link", "ln -sf /etc/passwd"), ("fifo", "mkfifo"), ("missing", "true")] {
            try installation.write("one", to: "\(name).txt")
            let outcome = try await installation.sandboxed(
                "org.example.\(name)", ["--document", "LocalFolder:/\(name).txt:rw"],
                "rm -f \"$1\"; \(command) \"$1\"; sleep 1",
                arguments: ["{1}"])
            #expect(outcome.status == 6, "\(name): \(outcome.errors)")
            #expect(installation.read(installation.documents + "/\(name).txt") == "one", "\(name)")
        }
    }

    /// S6: a folder is granted without a path; its contents are accessible through the socket, and nothing else.
    private static func folder(_ installation: Installation) async throws {
        try FileManager.default.createDirectory(
            atPath: installation.documents + "/in", withIntermediateDirectories: true)
        try installation.write("inside", to: "in/a.txt")
        try installation.write("outside", to: "beside.txt")
        let program =
            SandboxedPython.client + """
                granted = call(documents + "Granted", {})["parameters"]["items"]
                print(len(granted), granted[0]["name"], granted[0]["access"])
                listed = call(documents + "List", {"reference": granted[0]["reference"]})["parameters"]["items"]
                print([item["name"] for item in listed])
                print(kind(call(documents + "Info", {"reference": listed[0]["reference"]})))
                root = dict(granted[0]["reference"], identifier=".root")
                print(kind(call(documents + "List", {"reference": root})))
                """
        let docent = Installation.binaries + "/docent"
        let options = ["run", "--client", "org.example.Folder", "--document", "LocalFolder:/in", "--"]
        let outcome = try await installation.run(docent, options + ["python3", "-c", program])
        #expect(try outcome.succeeded().text == "1 in read\n['a.txt']\nok\nNotPermitted\n")
        #expect(try await installation.run(docent, options + ["cat", "{1}"]).status == 64)
    }
}
