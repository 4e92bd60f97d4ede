import DocentTestSupport
import Foundation
import Glibc
import Testing

/// What the command line says when something is not as it should be.
@Suite(.needs(.daemon)) struct CommandLineTroubleTests {
    @Test("C5: a folder that a person names is told as a folder, the root too, and no picker is blamed")
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

    @Test("G2: the reference that `ls` writes is read, written and described by, as long as the right stands")
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

    @Test("D2: what is wrong with the environment is told by whatever needs the daemon")
    func environment() async throws {
        try await Installation.with { installation in
            let outcome = try await installation.docent(
                "providers", environment: ["DOCENT_IDLE_SECONDS": "abc", "DOCENT_LOG_FILE": ""])
            #expect(outcome.status == 5)
            #expect(
                outcome.errors.contains("DOCENT_IDLE_SECONDS is \"abc\", but must be a number"), "\(outcome.errors)")
        }
    }

    @Test("D1: why a daemon does not start is told by whatever needs it")
    func start() async throws {
        try await Installation.with { installation in
            let share = installation.home + "/.local/share"
            try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: share + "/docent"))
            let outcome = try await installation.docent("providers")
            #expect(outcome.status == 5 && outcome.errors.contains(share + "/docent"), "\(outcome.errors)")
        }
    }

    @Test("Law 5: whoever waits for a suspended daemon is told so, and goes on with it")
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
            try await installation.eventually("it is told") {
                installation.read(errors)?.contains("(process \(daemon)) is suspended") == true
            }
            #expect(waiting.isRunning)
            kill(daemon, SIGCONT)
            try await installation.waitForEnd(of: waiting)
            #expect(waiting.terminationStatus == 0)
        }
    }
}
