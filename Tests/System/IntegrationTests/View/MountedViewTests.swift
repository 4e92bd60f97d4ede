import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The documents as files, for programs that know nothing of Docent.
@Suite(.needs(.daemon)) struct MountedViewTests {
    /// An installation with LocalFolder, whose folder has a document and a folder with one, and its view.
    private static func with(
        fresh seconds: String = "0", _ body: (ViewedInstallation) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_VIEW_FRESH_SECONDS": seconds]) { installation in
            try installation.write("hello", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/sub", withIntermediateDirectories: false)
            try installation.write("inner", to: "sub/b c.txt")
            try await ViewedInstallation.with(installation, body)
        }
    }

    /// The folder of the only account.
    private static func account(_ view: ViewedInstallation) async throws -> String {
        try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first.map(String.init))
    }

    @Test("programs list, describe and read documents")
    func reads() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            #expect(try await view.run("ls", account).succeeded().text == "a.txt\nsub\n")
            #expect(
                try await view.run("cat", account + "/a.txt", account + "/sub/b c.txt").succeeded().text == "helloinner"
            )
            #expect(
                try await view.run("stat", "-c", "%s %F %a", account + "/a.txt").succeeded().text
                    == "5 regular file 600\n")
            #expect(
                try await view.run("find", account, "-type", "f").succeeded().text.split(separator: "\n").count == 2)
            let missing = try await view.run("cat", account + "/no.txt")
            #expect(missing.status != 0 && missing.errors.contains("No such file"))
        }
    }

    @Test("a document that others change, add and remove is seen so, and its end is where it is now")
    func changes() async throws {
        try await Self.with { view in
            let (installation, account) = (view.installation, try await Self.account(view))
            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "hello")
            try installation.write("a longer text", to: "a.txt")
            try installation.write("new", to: "n.txt")
            try FileManager.default.removeItem(atPath: installation.documents + "/sub/b c.txt")
            try await installation.eventually("the new content") {
                try await view.run("cat", account + "/a.txt").text == "a longer text"
            }
            try await installation.eventually("the new name") {
                try await view.run("cat", account + "/n.txt").text == "new"
            }
            try await installation.eventually("the old name") {
                try await view.run("ls", account + "/sub").text.isEmpty
            }
        }
    }

    @Test("a location leads to a path and back")
    func places() async throws {
        try await Self.with { view in
            let path = try await view.installation.docent("path", "LocalFolder:/sub/b c.txt").succeeded().text
                .dropLast()
            #expect(path.hasPrefix(view.folder + "/") && path.hasSuffix("/sub/b c.txt"))
            let location = try await view.installation.docent("locate", String(path)).succeeded().text
            #expect(location == "org.docent.LocalFolder:/sub/b c.txt\n")
            #expect(try await view.installation.docent("path", "LocalFolder:/no").status == 2)
            let outside = try await view.installation.docent("locate", view.installation.documents + "/a.txt")
            #expect(outside.status != 0 && outside.errors.contains("in no folder"))
        }
    }

    @Test("mounting twice is no error; a folder that is not empty is refused")
    func mounting() async throws {
        try await Self.with { view in
            let again = try await view.installation.docent("mount").succeeded()
            #expect(again.text.contains("already"))
            #expect(try await view.status().map(\.state) == ["mounted"])
            let other = try await view.installation.docent("mount", view.installation.documents)
            #expect(other.status == 6 && other.errors.contains("not empty"), "\(other.errors)")
            let missing = try await view.installation.docent("mount", view.installation.home + "/none")
            #expect(missing.status == 2, "\(missing.errors)")
        }
    }

    @Test("a program that uses the folder keeps it from being unmounted, and is named a way to find it")
    func busy() async throws {
        try await Self.with { view in
            let user = try ChildProcess("/bin/sleep", ["600"], environment: [:], folder: view.folder)
            defer { user.send(SIGKILL) }
            let busy = try await view.installation.docent("unmount")
            #expect(busy.status == 5 && busy.errors.contains("busy"), "\(busy.errors)")
            try await view.installation.docent("unmount", "--force").succeeded()
            #expect(try await view.status().isEmpty)
        }
    }

    @Test("when the process that serves is killed, another one continues, and files stay open")
    func serverKilled() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            let (installation, folder) = (view.installation, view.installation.home)
            let script = """
                import os, sys
                r = open("a.txt"); assert r.read(2) == "he"
                w = open("new.txt", "w+"); w.write("one"); w.flush()
                d = os.open("sub", os.O_RDONLY)
                for number in range(5):
                    print("ready", number, flush=True)
                    sys.stdin.readline()
                    assert os.listdir(d) == ["b c.txt"], os.listdir(d)
                    w.write(str(number)); w.flush(); w.seek(0)
                    assert w.read() == "one" + "".join(map(str, range(number + 1)))
                    assert os.stat("a.txt").st_size == 5
                    assert open("sub/b c.txt").read() == "inner"
                assert r.read() == "llo"
                w.close()
                print("done", flush=True)
                """
            try Data(script.utf8).write(to: URL(filePath: folder + "/user.py"))
            try await installation.run("/usr/bin/mkfifo", [folder + "/line"]).succeeded()
            let user = try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    "cd '\(view.folder)/\(account)' && exec python3 -u '\(folder)/user.py' < '\(folder)/line' > '\(folder)/said' 2>&1",
                ],
                environment: ["PATH": "/usr/bin:/bin"], folder: "/")
            defer { user.send(SIGKILL) }
            let line = try await Task.detached { try FileHandle(forWritingTo: URL(filePath: folder + "/line")) }.value
            for number in 0..<5 {
                try await installation.eventually("round \(number)") {
                    let said = installation.read(folder + "/said") ?? ""
                    try #require(
                        !said.contains("Error"), "\(said) \(installation.read(installation.root + "/view-log") ?? "")")
                    return said.contains("ready \(number)\n")
                }
                let server = try #require(try await view.status().first?.processIdentifier)
                kill(server, SIGKILL)
                try line.write(contentsOf: Data("go\n".utf8))
            }
            try await installation.eventually("the end") {
                let said = installation.read(folder + "/said") ?? ""
                try #require(
                    !said.contains("Error"), "\(said) \(installation.read(installation.root + "/view-log") ?? "")")
                return said.hasSuffix("done\n")
            }
            #expect(installation.read(installation.documents + "/new.txt") == "one01234")
        }
    }

    @Test("when servers end one after another, the folder is unmounted")
    func killedAgainAndAgain() async throws {
        try await Self.with { view in
            for _ in 0..<20 {
                guard let server = try await view.status().first?.processIdentifier else { break }
                kill(server, SIGKILL)
                try await view.installation.eventually("another server, or the end") {
                    try await view.status().first?.processIdentifier != server
                }
            }
            let left = try await view.status().map { "\($0.state) \($0.processIdentifier ?? 0)" }
            #expect(left.isEmpty, "\(left)")
            #expect(try await view.run("ls", "-a").succeeded().text == ".\n..\n")
            try await view.installation.docent("mount").succeeded()
            #expect(try await Self.account(view).isEmpty == false)
        }
    }

    @Test("when the process that keeps the mount is killed, another one takes its place")
    func keeperKilled() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            let server = try #require(try await view.status().first?.processIdentifier)
            for _ in 0..<3 {
                let keeper = try #require(try await Self.keeper(view, besides: server))
                kill(keeper, SIGKILL)
                try await view.installation.eventually("another keeper") {
                    try await Self.keeper(view, besides: server).map { $0 != keeper } ?? false
                }
                #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "hello")
            }
            kill(server, SIGKILL)
            try await view.installation.eventually("another server") {
                let next = try await view.status().first?.processIdentifier
                return next != nil && next != server
            }
            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "hello")
        }
    }

    @Test("a view that its session ends saves what programs have not closed yet, and leaves no mount")
    func ended() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            let server = try #require(try await view.status().first?.processIdentifier)
            let writer = try ChildProcess(
                "/bin/sh", ["-c", "exec 3>> '\(view.folder)/\(account)/a.txt'; echo more >&3; sleep 600"],
                environment: [:],
                folder: "/")
            defer { writer.send(SIGKILL) }
            try await view.installation.eventually("the writing") {
                try await view.run("cat", account + "/a.txt").text.hasSuffix("more\n")
            }
            kill(server, SIGTERM)
            try await view.installation.eventually("the saved content") {
                view.installation.read(view.installation.documents + "/a.txt") == "hellomore\n"
            }
            try await view.installation.eventually("the end of the mount") { try await view.status().isEmpty }
        }
    }

    @Test("a folder that is mounted again stays so when the process that kept the mount before ends late")
    func mountedAgain() async throws {
        try await Self.with { view in
            let server = try #require(try await view.status().first?.processIdentifier)
            let keeper = try #require(try await Self.keeper(view, besides: server))
            kill(keeper, SIGSTOP)
            defer { kill(keeper, SIGKILL) }
            var unmounted = try await view.installation.docent("unmount", view.folder)
            for _ in 0..<10 where unmounted.status == 5 {
                // It was stopped while it looked at the mount, which is in use for as long.
                kill(keeper, SIGCONT)
                try await Task.sleep(for: .milliseconds(100))
                kill(keeper, SIGSTOP)
                unmounted = try await view.installation.docent("unmount", view.folder)
            }
            try unmounted.succeeded()
            try await view.installation.docent("mount").succeeded()
            let next = try await view.status().first?.processIdentifier
            kill(keeper, SIGCONT)
            try await view.installation.eventually("the end of the first keeper") {
                try await !Self.processes(view).contains(keeper)
            }
            #expect(try await view.status().map(\.state) == ["mounted"])
            #expect(try await view.status().first?.processIdentifier == next)
            #expect(try await Self.account(view).isEmpty == false)
        }
    }

    @Test("a folder that was left dead is mended")
    func dead() async throws {
        try await Self.with { view in
            let server = try #require(try await view.status().first?.processIdentifier)
            let keeper = try #require(try await Self.keeper(view, besides: server))
            // Neither can do anything between the two.
            kill(keeper, SIGSTOP)
            kill(server, SIGKILL)
            kill(keeper, SIGKILL)
            try await view.installation.eventually("a dead folder") { try await view.status().map(\.state) == ["dead"] }
            try await view.installation.docent("mount").succeeded()
            #expect(try await view.status().map(\.state) == ["mounted"])
            #expect(try await Self.account(view).isEmpty == false)
        }
    }

    @Test("a folder that does not answer is reported, and can be unmounted")
    func unresponsive() async throws {
        try await Self.with { view in
            let server = try #require(try await view.status().first?.processIdentifier)
            kill(server, SIGSTOP)
            defer { kill(server, SIGKILL) }
            #expect(try await view.status().map(\.state) == ["unresponsive"])
            let again = try await view.installation.docent("mount")
            #expect(again.status == 5 && again.errors.contains("does not answer"), "\(again.errors)")
            try await view.installation.docent("unmount", "--force").succeeded()
            #expect(try await view.status().isEmpty)
        }
    }

    /// The process that keeps a mount.
    private static func keeper(_ view: ViewedInstallation, besides server: pid_t) async throws -> pid_t? {
        try await processes(view).first { $0 != server }
    }

    /// The processes that serve and keep mounts on the folder.
    private static func processes(_ view: ViewedInstallation) async throws -> [pid_t] {
        let found = try await view.installation.run("/usr/bin/pgrep", ["-f", "docent-view.* \(view.folder)"])
        return found.text.split(separator: "\n").compactMap { pid_t($0) }
    }

    @Test("documents can be read after the daemon was killed")
    func daemonKilled() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            _ = try await view.run("cat", account + "/a.txt").succeeded()
            let daemon = try #require(view.installation.daemonProcess)
            kill(daemon, SIGKILL)
            #expect(try await view.run("cat", account + "/sub/b c.txt").succeeded().text == "inner")
            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "hello")
        }
    }

    @Test("a sandbox that can see the folder gets nothing from it")
    func sandbox() async throws {
        try await Self.with { view in
            let account = try await Self.account(view)
            _ = try await view.run("cat", account + "/a.txt").succeeded()
            let arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
            for command in ["cat '\(view.folder)/\(account)/a.txt'", "ls '\(view.folder)/\(account)'"] {
                let outcome = try await view.installation.run(
                    "/usr/bin/bwrap", arguments + ["--", "/bin/sh", "-c", command])
                #expect(outcome.status != 0 && outcome.text.isEmpty, "\(command): \(outcome.text) \(outcome.errors)")
                #expect(outcome.errors.contains("Permission denied"), "\(outcome.errors)")
            }
        }
    }
}
