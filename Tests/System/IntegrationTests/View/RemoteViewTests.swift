import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Remote documents as files.
@Suite(.needs(.daemon, .server)) struct RemoteViewTests {
    @Test("a remote document is fetched when it is read, and its state can be seen")
    func fetched() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("from far away", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let path = String(account) + "/a.txt"
                #expect(try await view.run("stat", "-c", "%s %b", path).succeeded().text == "13 0\n")
                #expect(try await view.run("cat", path).succeeded().text == "from far away")
                let state = try await view.run("getfattr", "--only-values", "-n", "user.docent.state", path)
                #expect(state.text == "local", "\(state.errors)")
            }
        }
    }

    @Test("V6: what was saved in a mounted folder and has become a conflict version is in its log and in an attribute")
    func conflict() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("old", "a.txt") }) { remote in
            try await RemoteHistoryTests.collide(remote, "a.txt")
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let path = String(account) + "/a.txt"
                let count = try await view.run("getfattr", "--only-values", "-n", "user.docent.conflicts", path)
                #expect(count.text == "1", "\(count.errors)")
                let log = remote.installation.read(remote.installation.root + "/view-log") ?? ""
                #expect(log.contains("a.txt was changed elsewhere too") && log.contains("docent conflicts"), "\(log)")
            }
        }
    }

    @Test("the local copy of a document that was read can be removed soon after, but not while a program has it open")
    func evicted() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("from far away", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let path = "\(view.folder)/\(account)/a.txt"
                let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
                try #require(file >= 0)
                // Longer than the view keeps what nobody has open.
                try await Task.sleep(for: .seconds(4))
                #expect(try await remote.docent("evict", remote.location("a.txt")).status == 6)
                close(file)
                try await remote.installation.eventually("the local copy is removed") {
                    try await remote.docent("evict", remote.location("a.txt")).status == 0
                }
                #expect(try await view.run("cat", "\(account)/a.txt").succeeded().text == "from far away")
            }
        }
    }

    @Test("a reader that waits for content ends at once when it is killed")
    func killedReader() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("slow", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                _ = try await view.run("ls", String(account)).succeeded()
                let proxy = try #require(remote.proxy)
                try await proxy.add(.hold().on("GET"))
                let reader = try ChildProcess(
                    "/bin/cat", ["\(view.folder)/\(account)/a.txt"], environment: [:], folder: "/")
                try await proxy.held("GET")
                reader.send(SIGKILL)
                try await remote.installation.eventually("the end of the reader") { !reader.isRunning }
                try await proxy.release()
            }
        }
    }

    @Test("a program that makes a folder gets its answer although the view is killed while it announces a change there")
    func killedAnnouncing() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("old", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                _ = try await view.run("ls", String(account)).succeeded()
                let server = try #require(try await view.status().first?.processIdentifier)
                let proxy = try #require(remote.proxy)
                try await proxy.add(.hold().on("MKCOL"))
                let program = try ChildProcess(
                    "/bin/mkdir", ["\(view.folder)/\(account)/new"], environment: [:], folder: "/")
                try await proxy.held("MKCOL")
                // The kernel lets whoever announces this wait for the program.
                try await remote.server.put("theirs", "b.txt")
                try await remote.installation.eventually("a change is announced") {
                    _ = try await remote.docent("refresh", remote.location("")).succeeded()
                    return Self.isWaitingInKernel(server)
                }
                kill(server, SIGKILL)
                try await proxy.release()
                try await remote.installation.eventually("the end of the program") { !program.isRunning }
                #expect(try await view.status().first?.processIdentifier != server)
                let names = try await view.run("ls", String(account)).succeeded().text
                #expect(names == "a.txt\nb.txt\nnew\n", "\(names)")
            }
        }
    }

    /// Whether a thread of a process waits in the kernel, and cannot be interrupted.
    private static func isWaitingInKernel(_ process: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.contains { thread in
            let status = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
            return status?.contains("\nState:\tD") ?? false
        }
    }
}

/// Changes of remote documents through a mounted folder.
@Suite(.needs(.daemon, .server)) struct RemoteViewWritingTests {
    private static func with(_ body: (RemoteInstallation, ViewedInstallation, String) async throws -> Void) async throws
    {
        try await RemoteInstallation.with(prepare: { try await $0.put("old", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                try await body(remote, view, String(account))
            }
        }
    }

    @Test("what programs write reaches the server, and the files of their own do not")
    func sent() async throws {
        try await Self.with { remote, view, account in
            try await view.run(
                "sh", "-c",
                "cd \(account) && echo more >> a.txt && printf new > b.txt && mkdir f && mv b.txt f/c.txt && printf x > .a.txt.swp"
            ).succeeded()
            try await remote.installation.docent("drain").succeeded()
            #expect(try await remote.server.text("a.txt") == "oldmore\n")
            #expect(try await remote.server.text("f/c.txt") == "new")
            let names = try await remote.server.list().sorted()
            #expect(names == ["a.txt", "f"], "\(names)")
            #expect(
                try await view.run("cat", account + "/a.txt", account + "/.a.txt.swp").succeeded().text == "oldmore\nx")
        }
    }

    @Test("a file that is removed as soon as it was made is gone, here and on the server")
    func removedAtOnce() async throws {
        try await Self.with { remote, view, account in
            let script = "cd \(account) && for i in $(seq 60); do echo $i > f$i && rm f$i || exit 1; done && ls"
            let outcome = try await view.run("sh", "-c", script)
            #expect(outcome.status == 0 && outcome.text == "a.txt\n", "\(outcome.text)\(outcome.errors)")
            try await remote.installation.docent("drain").succeeded()
            let names = try await remote.server.list()
            #expect(names == ["a.txt"], "\(names)")
        }
    }

    @Test("without the server a document is saved here, is read again, and is sent later")
    func offline() async throws {
        try await Self.with { remote, view, account in
            _ = try await view.run("cat", account + "/a.txt").succeeded()
            let proxy = try #require(remote.proxy)
            try await proxy.refuse()
            try await view.run("sh", "-c", "printf saved > \(account)/a.txt").succeeded()
            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "saved")
            try await proxy.accept()
            try await remote.installation.docent("transfers", "retry").succeeded()
            try await remote.installation.docent("drain").succeeded()
            #expect(try await remote.server.text("a.txt") == "saved")
            let missing = try await view.run("cat", account + "/never.txt")
            #expect(missing.errors.contains("No such file"), "\(missing.errors)")
        }
    }

    @Test("content that is not here, and cannot be fetched, is an error and never an empty file")
    func unreachable() async throws {
        try await Self.with { remote, view, account in
            _ = try await view.run("ls", account).succeeded()
            try await remote.proxy?.refuse()
            let outcome = try await view.run("cat", account + "/a.txt")
            #expect(
                outcome.status != 0 && outcome.text.isEmpty && outcome.errors.contains("No route to host"),
                "\(outcome.errors)")
            #expect(try await view.run("stat", "-c", "%s", account + "/a.txt").succeeded().text == "3\n")
        }
    }

    @Test("if somebody else changed the document meanwhile, both contents are kept")
    func conflict() async throws {
        try await Self.with { remote, view, account in
            let script = """
                import subprocess, sys
                f = open("\(account)/a.txt", "r+")
                f.read()
                f.write(" mine")
                f.flush()
                print("ready", flush=True)
                sys.stdin.readline()
                f.close()
                """
            let path = remote.installation.home + "/hold.py"
            try Data(script.utf8).write(to: URL(filePath: path))
            let folder = remote.installation.home
            _ = FileManager.default.createFile(atPath: folder + "/go", contents: nil)
            try await view.run("sh", "-c", "mkfifo ~/line && (python3 ~/hold.py < ~/line > ~/said 2>&1 &) ").succeeded()
            let writer = try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    "exec 3> '\(folder)/line'; while ! grep -q ready '\(folder)/said'; do sleep 0.1; done; while [ -e '\(folder)/go' ]; do sleep 0.1; done",
                ],
                environment: ["PATH": "/usr/bin:/bin"], folder: "/")
            try await remote.installation.eventually("the writer") {
                remote.installation.read(folder + "/said") == "ready\n"
            }
            try await remote.server.put("theirs", "a.txt")
            try FileManager.default.removeItem(atPath: folder + "/go")
            try await remote.installation.eventually("the end of the writer") { !writer.isRunning }
            try await remote.installation.eventually("both contents") {
                _ = try await remote.installation.docent("drain", "--timeout", "5")
                let names = try await remote.server.list()
                var contents: Set<String> = []
                for name in names { contents.insert(try await remote.server.text(name) ?? "") }
                let kept = try await remote.installation.docent("versions", "list", "--json").succeeded().text
                return contents.contains("theirs") && (contents.contains("old mine") || kept.contains("a.txt"))
            }
        }
    }
}
