import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Error messages of the command line.
@Suite(.needs(.daemon)) struct CommandLineTroubleTests {
    @Test("C5: a folder named on the command line is reported as a folder, also the root, and no picker is blamed")
    func folders() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/sub", withIntermediateDirectories: true)
            for verb in ["cat", "import", "open"] {
                for location in ["LocalFolder:/", "LocalFolder:/sub"] {
                    let outcome = try await installation.docent(verb, location)
                    #expect(outcome.status == 64, "\(outcome)")
                    #expect(
                        outcome.errors.contains("folder") && !outcome.errors.contains("authors"), "\(outcome.errors)")
                }
            }
        }
    }

    @Test("G2: the reference printed by `ls` can be read, written and described while the right lasts")
    func references() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a b.txt")
            try await installation.docent("open", "LocalFolder:/a b.txt").succeeded()
            let listed = try await installation.docent("ls").succeeded().text
            let reference = try #require(
                listed.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("docent://") }.map(String.init))
            #expect(try await installation.docent("cat", reference).succeeded().text == "hello")
            try await installation.docent("write", reference, input: Data("changed".utf8)).succeeded()
            #expect(installation.read(installation.documents + "/a b.txt") == "changed")
            #expect(try await installation.docent("info", reference).succeeded().text.contains("a b.txt"))
            #expect(try await installation.docent("cat", reference, "--client", "org.example.other").status == 3)
            try await installation.docent("revoke", "--yes", "LocalFolder:/a b.txt").succeeded()
            #expect(try await installation.docent("cat", reference).status == 3)
        }
    }

    @Test("D2: every command that needs the daemon reports problems of the environment")
    func environment() async throws {
        try await Installation.with { installation in
            let outcome = try await installation.docent(
                "providers", environment: ["DOCENT_IDLE_SECONDS": "abc", "DOCENT_LOG_FILE": ""])
            #expect(outcome.status == 5)
            #expect(
                outcome.errors.contains("DOCENT_IDLE_SECONDS is \"abc\", but must be a number"), "\(outcome.errors)")
        }
    }

    @Test("D1: every command that needs the daemon reports why it does not start")
    func start() async throws {
        try await Installation.with { installation in
            let share = installation.home + "/.local/share"
            try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: share + "/docent"))
            let outcome = try await installation.docent("providers")
            #expect(outcome.status == 5 && outcome.errors.contains(share + "/docent"), "\(outcome.errors)")
        }
    }

    @Test("Law 5: a command that waits for a suspended daemon says so, and continues when the daemon resumes")
    func suspended() async throws {
        try await Installation.with { installation in
            try await installation.docent("providers").succeeded()
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGSTOP)
            defer { kill(daemon, SIGCONT) }
            let errors = installation.root + "/errors"
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            let waiting = try ChildProcess(
                Installation.binaries + "/docent", ["providers"], environment: installation.environment,
                errors: .file(errors))
            try await installation.eventually("it is reported") {
                installation.read(errors)?.contains("(process \(daemon)) is suspended") == true
            }
            #expect(waiting.isRunning)
            kill(daemon, SIGCONT)
            try await installation.waitForEnd(of: waiting)
            #expect(waiting.terminationStatus == 0)
        }
    }
}
