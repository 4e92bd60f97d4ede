import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent daemon stop` while a program of `docent run` is running (D2, D3).
@Suite(.needs(.daemon)) struct RunStopTests {
    private struct Version: Decodable { var reason: String }

    /// Starts a program that sends two requests and prints the answers: one at once, and one on command.
    private static func start(_ installation: Installation, _ options: [String] = [], _ more: String = "true") throws
        -> ChildProcess
    {
        try installation.startSandboxed(
            "org.example.Boxed", options,
            """
            docent ls LocalFolder:/; echo $? > ~/before; while [ ! -e ~/go ]; do sleep 0.1; done
            docent ls LocalFolder:/ 2> ~/said; echo $? > ~/stopped; \(more)
            while [ ! -e ~/go2 ]; do sleep 0.1; done
            for i in $(seq 300); do docent ls LocalFolder:/; code=$?; [ $code = 3 ] && break; sleep 0.1; done; echo $code > ~/after
            """, arguments: ["{}"], errors: installation.root + "/errors")
    }

    private static func stop(_ installation: Installation) async throws {
        let daemon = try #require(installation.daemonProcess)
        try await installation.docent("daemon", "stop").succeeded()
        try await installation.eventually("it has ended") { kill(daemon, 0) != 0 }
    }

    // A restarted daemon would be there within a moment; a run reconnects within a fifth of a second.
    private static func expectNoDaemon(_ installation: Installation) async throws {
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await installation.docent("daemon", "status").status == 5)
        }
    }

    @Test(
        "D2, D3: a daemon stopped by the user stays stopped; the program gets that error, and is served again after the user's next command"
    )
    func staysStopped() async throws {
        try await Installation.withLocalFolder { installation in
            func home(_ name: String) -> String { installation.privateHome("org.example.Boxed", name) }
            let run = try Self.start(installation)
            try await installation.eventually("it was answered", within: 60) {
                installation.read(home("before")) == "3\n"
            }
            try await Self.stop(installation)
            try await Self.expectNoDaemon(installation)
            _ = FileManager.default.createFile(atPath: home("go"), contents: nil)
            try await installation.eventually("it was answered", within: 60) {
                installation.read(home("stopped")) != nil
            }
            #expect(installation.read(home("stopped")) == "5\n")
            let said = installation.read(home("said")) ?? ""
            #expect(said.contains("The Docent daemon was stopped by its user."), "\(said)")
            #expect(said.contains("docent daemon start"), "\(said)")
            #expect(installation.daemonProcess == nil)
            // Any command of the user.
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            _ = FileManager.default.createFile(atPath: home("go2"), contents: nil)
            try await installation.eventually("it is served again", within: 60) {
                installation.read(home("after")) == "3\n"
            }
            run.waitUntilExit()
            #expect(run.terminationStatus == 0, "\(installation.read(installation.root + "/errors") ?? "")")
        }
    }

    @Test("W0, D2: a program's output after the daemon was stopped is kept at its end, without starting a daemon")
    func writesAreKept() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            func home(_ name: String) -> String { installation.privateHome("org.example.Boxed", name) }
            let run = try Self.start(
                installation, ["--document", "LocalFolder:/a.txt:rw"], "printf late > \"$1\"; exit 0")
            try await installation.eventually("it runs", within: 60) { installation.read(home("before")) != nil }
            try await Self.stop(installation)
            _ = FileManager.default.createFile(atPath: home("go"), contents: nil)
            run.waitUntilExit()
            let errors = installation.read(installation.root + "/errors") ?? ""
            #expect(run.terminationStatus == 5, "\(errors)")
            #expect(errors.contains("stopped by its user") && errors.contains("keeps it as a version"), "\(errors)")
            #expect(installation.daemonProcess == nil)
            #expect(installation.read(installation.documents + "/a.txt") == "one")
            try await installation.sandboxed("org.example.Boxed", [], "true").succeeded()
            let versions = try await installation.docent("versions", "LocalFolder:/a.txt", "--json").succeeded()
            #expect(try versions.json([Version].self).map(\.reason) == ["recovered"])
        }
    }
}
