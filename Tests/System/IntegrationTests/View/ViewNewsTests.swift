import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A program that watches folders of the view.
private struct Watcher: Sendable {
    let process: ChildProcess
    let output: String
    let installation: Installation

    /// Starts to watch.
    init(_ view: ViewedInstallation, _ paths: [String]) async throws {
        installation = view.installation
        output = view.installation.root + "/watched-" + UUID().uuidString
        process = try ChildProcess(
            "/bin/sh",
            [
                "-c", "exec python3 \"$0\" \"$@\" > '\(output)' 2>&1",
                Repository.root + "/Tests/Programs/watch_folder.py",
            ] + paths.map { view.folder + "/" + $0 },
            environment: ["PATH": "/usr/bin:/bin"], folder: "/")
        let (installation, output) = (installation, output)
        try await installation.eventually("the watches") { installation.read(output)?.hasPrefix("ready\n") ?? false }
    }

    var lines: [String] { (installation.read(output) ?? "").split(separator: "\n").map(String.init) }

    /// Waits for an event.
    func eventually(_ event: String) async throws {
        do {
            try await installation.eventually(event) { lines.contains { $0.hasSuffix(" " + event) } }
        } catch {
            throw Problem("\(error); there were \(lines)")
        }
    }

    func end() { process.send(SIGKILL) }
}

/// What others change appears in the view, and programs that watch it are told.
@Suite(.needs(.daemon)) struct ViewNewsTests {
    /// Nothing is asked for again because it is old.
    private static let environment = ["DOCENT_VIEW_FRESH_SECONDS": "3600"]

    private static func with(_ body: (ViewWorld) async throws -> Void) async throws {
        try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("hello\n", to: "a.txt")
            try await ViewedInstallation.with(installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                try await body(ViewWorld(view: view, account: String(account)))
            }
        }
    }

    @Test("what other programs do in the folder of a provider appears, and wakes those who watch")
    func local() async throws {
        try await Self.with { world in
            let watcher = try await Watcher(world.view, [world.account])
            defer { watcher.end() }
            #expect(try await world.run("ls && cat a.txt").succeeded().text == "a.txt\nhello\n")
            let documents = world.view.installation.documents
            try world.view.installation.write("new", to: "b.txt")
            try await watcher.eventually("CREATE b.txt")
            try await watcher.eventually("CLOSE_WRITE b.txt")
            #expect(try await world.run("cat b.txt").succeeded().text == "new")
            try FileManager.default.createDirectory(atPath: documents + "/sub", withIntermediateDirectories: false)
            try await watcher.eventually("CREATE|ISDIR sub")
            try world.view.installation.write("longer than before\n", to: "a.txt")
            try await watcher.eventually("MODIFY a.txt")
            #expect(try await world.run("cat a.txt").succeeded().text == "longer than before\n")
            try FileManager.default.moveItem(atPath: documents + "/b.txt", toPath: documents + "/c.txt")
            try await watcher.eventually("DELETE b.txt")
            try await watcher.eventually("CREATE c.txt")
            #expect(try await world.run("ls && cat c.txt").succeeded().text == "a.txt\nc.txt\nsub\nnew")
            try FileManager.default.removeItem(atPath: documents + "/c.txt")
            try await watcher.eventually("DELETE c.txt")
            try FileManager.default.removeItem(atPath: documents + "/sub")
            try await watcher.eventually("DELETE|ISDIR sub")
            #expect(try await world.run("ls").succeeded().text == "a.txt\n")
            #expect(try world.names() == ["a.txt"], "nothing is changed by telling")
            #expect(world.stored("a.txt") == "longer than before\n")
        }
    }

    @Test("a file that is watched itself tells of new content, and its watch is one of the new content")
    func file() async throws {
        try await Self.with { world in
            let watcher = try await Watcher(world.view, [world.account + "/a.txt"])
            defer { watcher.end() }
            _ = try await world.run("ls && cat a.txt").succeeded()
            try world.view.installation.write("another\n", to: "a.txt")
            try await watcher.eventually("MODIFY ")
            #expect(try await world.run("cat a.txt").succeeded().text == "another\n")
        }
    }

    @Test("what is written through the view is told once, by the kernel")
    func own() async throws {
        try await Self.with { world in
            let watcher = try await Watcher(world.view, [world.account])
            defer { watcher.end() }
            try await world.run("ls > /dev/null && printf one > new.txt && mkdir sub").succeeded()
            try await watcher.eventually("CREATE|ISDIR sub")
            // A later change of somebody else comes after anything that this one could still cause.
            try world.view.installation.write("x", to: "last.txt")
            try await watcher.eventually("CREATE last.txt")
            #expect(watcher.lines.filter { $0.hasSuffix("CREATE new.txt") }.count == 1, "\(watcher.lines)")
            #expect(watcher.lines.filter { $0.hasSuffix("CREATE|ISDIR sub") }.count == 1, "\(watcher.lines)")
        }
    }

    @Test("telling goes on after the daemon and the view were killed")
    func killed() async throws {
        try await Self.with { world in
            let watcher = try await Watcher(world.view, [world.account])
            defer { watcher.end() }
            _ = try await world.run("ls").succeeded()
            let daemon = try #require(world.view.installation.daemonProcess)
            kill(daemon, SIGKILL)
            // A call of some program starts another one.
            try await world.view.installation.docent("ls").succeeded()
            try world.view.installation.write("1", to: "after-daemon.txt")
            try await watcher.eventually("CREATE after-daemon.txt")
            let server = try #require(try await world.view.status().first?.processIdentifier)
            kill(server, SIGKILL)
            try await world.view.installation.eventually("another server") {
                let next = try await world.view.status().first?.processIdentifier
                return next != nil && next != server
            }
            _ = try await world.run("ls").succeeded()
            try world.view.installation.write("2", to: "after-view.txt")
            try await watcher.eventually("CREATE after-view.txt")
        }
    }
}

/// The same for documents of a server.
@Suite(.needs(.daemon, .server)) struct RemoteViewNewsTests {
    @Test("changes on a server appear when the daemon knows of them, and wake those who watch")
    func remote() async throws {
        let options = RemoteInstallation.Options(environment: [
            "DOCENT_VIEW_FRESH_SECONDS": "3600", "DOCENT_POLL_SECONDS": "0",
        ])
        try await RemoteInstallation.with(options: options, prepare: { try await $0.put("old", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = String(
                    try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first))
                let watcher = try await Watcher(view, [account])
                defer { watcher.end() }
                #expect(try await view.run("ls", account).succeeded().text == "a.txt\n")
                #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "old")
                try await remote.server.put("theirs, and longer", "a.txt")
                try await remote.server.put("new", "b.txt")
                try await remote.installation.docent("refresh", remote.location("")).succeeded()
                try await watcher.eventually("CREATE b.txt")
                try await watcher.eventually("MODIFY a.txt")
                #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "theirs, and longer")
                #expect(try await view.run("stat", "-c", "%s", account + "/b.txt").succeeded().text == "3\n")
                try await remote.server.delete("b.txt")
                try await remote.installation.docent("refresh", remote.location("")).succeeded()
                try await watcher.eventually("DELETE b.txt")
                #expect(try await view.run("ls", account).succeeded().text == "a.txt\n")
            }
        }
    }
}
