import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The daemon's behaviour with data that it cannot use (D3).
@Suite(.needs(.daemon)) struct DaemonLifeDataTests {
    @Test(
        "D3: an older daemon refuses a newer schema and changes nothing",
        .enabled(if: Self.hasSQLite, "python3 has sqlite3"))
    func newerSchema() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.stopDaemon()
            let path = installation.data + "/docent.sqlite"
            try await Self.sql(installation, "INSERT INTO grdb_migrations VALUES ('9999 from the future')")
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            try await Self.isRefused(installation, saying: "newer")
            #expect(try difference(Data(contentsOf: URL(fileURLWithPath: path)), from: before) == nil)
            // Without the mark everything is as before.
            try await Self.sql(installation, "DELETE FROM grdb_migrations WHERE identifier = '9999 from the future'")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
        }
    }

    @Test("D3, I4: enabled providers and grants persist after kill -9")
    func durableRights() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let opened = try await installation.docent("open", "LocalFolder:/a.txt", "--json").succeeded().json(
                Opened.self)
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            try await installation.eventually("the daemon is gone") { kill(daemon, 0) != 0 }
            #expect(try await installation.docent("cat", "--bookmark", opened.bookmark).succeeded().text == "hello")
        }
    }

    @Test("I3: a revocation persists after kill -9")
    func durableRevocation() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let opened = try await installation.docent("open", "LocalFolder:/a.txt", "--json").succeeded().json(
                Opened.self)
            try await installation.docent("revoke", "LocalFolder:/a.txt", "--yes").succeeded()
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            try await installation.eventually("the daemon is gone") { kill(daemon, 0) != 0 }
            let read = try await installation.docent("cat", "--bookmark", opened.bookmark)
            #expect([2, 3].contains(read.status), "\(read.status) \(read.errors)")
        }
    }

    private static func isRefused(_ installation: Installation, saying words: String) async throws {
        let daemon = try installation.startDaemon()
        try await installation.waitForEnd(of: daemon)
        #expect(daemon.terminationReason == .exit && daemon.terminationStatus == 1)
        let said = installation.read(installation.log) ?? ""
        #expect(said.contains(words), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: installation.socket))
        // A client gets the error at once, without waiting.
        let outcome = try await installation.docent("providers")
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("does not start"), "\(outcome.errors)")
    }

    private static func sql(_ installation: Installation, _ statement: String) async throws {
        let program = """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1])
            connection.execute(sys.argv[2])
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            """
        try await installation.run(
            "/usr/bin/python3", ["-c", program, installation.data + "/docent.sqlite", statement]
        ).succeeded()
    }

    static let hasSQLite: Bool = {
        guard let process = try? ChildProcess("/usr/bin/python3", ["-c", "import sqlite3"], environment: [:]) else {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private struct Opened: Decodable { var bookmark: String }
}
