import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The life of the daemon: one at a time, started when needed, ended when not (D1, D2).
@Suite(.needs(.daemon)) struct DaemonLifeTests {
    @Test(
        "D1: of daemons started at once exactly one keeps running, the others exit with 0",
        arguments: Sample.shared.of(Array(0..<10)))
    func oneOfMany(round: Int) async throws {
        try await Installation.with { installation in
            let daemons = try (0..<3).map { _ in try installation.startDaemon() }
            try await installation.eventually("one is left") { daemons.filter(\.isRunning).count == 1 }
            try await installation.eventually("it answers") { installation.answers }
            let living = try #require(daemons.first { $0.isRunning })
            for loser in daemons where loser !== living {
                #expect(loser.terminationReason == .exit && loser.terminationStatus == 0)
            }
            #expect(try await installation.status().processIdentifier == living.processIdentifier)
            #expect(installation.daemonProcess == living.processIdentifier)
            try await installation.killDaemon(living)
        }
    }

    @Test("D2: clients that start the daemon at once all succeed, with one daemon")
    func manyStarters() async throws {
        try await Installation.with { installation in
            let processes = try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await installation.docent("providers").succeeded()
                        return try await installation.status().processIdentifier
                    }
                }
                return try await group.reduce(into: Set<pid_t>()) { $0.insert($1) }
            }
            #expect(processes.count == 1)
        }
    }

    @Test("D2: a daemon that exits whenever it is idle never makes a call fail")
    func leavingAllTheTime() async throws {
        let rounds = Sample.shared.isWhole ? 12 : 4
        try await Installation.with(environment: ["DOCENT_IDLE_SECONDS": "0.3"]) { installation in
            try await withThrowingTaskGroup { group in
                for worker in 0..<3 {
                    group.addTask {
                        for round in 0..<rounds {
                            let client = installation.client("org.docent.tests.worker\(worker)")
                            _ = try await client.providers()
                            client.close()
                            // Around the moment of its exit: 0.3 seconds, checked every 0.2.
                            try await Task.sleep(for: .milliseconds(280 + (worker * 37 + round * 53) % 260))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await installation.eventually("the last daemon exits") { installation.daemonProcess == nil }
            #expect(!FileManager.default.fileExists(atPath: installation.socket))
        }
    }

    @Test("D3: a client whose daemon was killed or has exited continues with the next one")
    func clientOutlivesDaemon() async throws {
        try await Installation.with { installation in
            let client = installation.client()
            _ = try await client.providers()
            for _ in 0..<(Sample.shared.isWhole ? 3 : 1) {
                let daemon = try #require(installation.daemonProcess)
                kill(daemon, SIGKILL)
                try await installation.eventually("it is gone") {
                    kill(daemon, 0) != 0 || installation.daemonProcess != daemon
                }
                // Another program starts the next one first, so that the session's token is unknown to it.
                try await installation.docent("providers").succeeded()
                _ = try await client.providers()
            }
            client.close()
        }
    }

    @Test("D1: the stale socket of a killed daemon is replaced")
    func staleSocket() async throws {
        try await Installation.with { installation in
            let first = try await installation.readyDaemon()
            try await installation.killDaemon(first)
            #expect(FileManager.default.fileExists(atPath: installation.socket))
            #expect(!installation.answers)
            try await installation.docent("providers").succeeded()
            #expect(installation.answers)
            #expect(installation.daemonProcess != first.processIdentifier)
        }
    }

    @Test("D1: a daemon that loses the start never takes the winner's socket")
    func loserLeavesSocket() async throws {
        try await Installation.with { installation in
            let living = try await installation.readyDaemon()
            let inode = try Self.inode(installation.socket)
            for _ in 0..<5 {
                let loser = try installation.startDaemon()
                try await installation.waitForEnd(of: loser)
                #expect(loser.terminationStatus == 0)
                #expect(try Self.inode(installation.socket) == inode)
            }
            #expect(try await installation.status().processIdentifier == living.processIdentifier)
            try await installation.killDaemon(living)
        }
    }

    @Test("D1: a daemon with another data directory does not take the socket of the running one")
    func otherData() async throws {
        try await Installation.with { installation in
            let living = try await installation.readyDaemon()
            let inode = try Self.inode(installation.socket)
            let other = try installation.startDaemon(environment: ["XDG_DATA_HOME": installation.root + "/other"])
            try await installation.waitForEnd(of: other)
            #expect(other.terminationStatus == 1)
            #expect(installation.read(installation.log)?.contains("Another daemon with different data serves") == true)
            #expect(try Self.inode(installation.socket) == inode)
            #expect(try await installation.status().processIdentifier == living.processIdentifier)
            // Once the first has ended, the socket is free.
            try await installation.killDaemon(living)
            let second = try await installation.readyDaemon(environment: ["XDG_DATA_HOME": installation.root + "/other"]
            )
            #expect(second.isRunning)
            try await installation.killDaemon(second)
        }
    }

    @Test("D2: SIGTERM and SIGINT end the daemon cleanly", arguments: [SIGTERM, SIGINT])
    func signals(signal: CInt) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let daemon = try await installation.restartDaemon()
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let provider = try #require(try await installation.extensionProcess())
            kill(daemon.processIdentifier, signal)
            try await installation.waitForEnd(of: daemon)
            #expect(daemon.terminationReason == .exit && daemon.terminationStatus == 0)
            #expect(!FileManager.default.fileExists(atPath: installation.socket))
            try await installation.eventually("no extension is left") { kill(provider, 0) != 0 }
            // The write-ahead log of the database was merged.
            let log =
                try? FileManager.default.attributesOfItem(atPath: installation.data + "/docent.sqlite-wal")[.size]
                as? Int
            #expect((log ?? 0) == 0)
            try await installation.docent("ls", "LocalFolder:/").succeeded()
        }
    }

    @Test("S5: kill -9 of the daemon leaves no extension process")
    func noOrphans() async throws {
        try await Installation.withLocalFolder { installation in
            let daemon = try await installation.restartDaemon()
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let provider = try #require(try await installation.extensionProcess())
            try await installation.killDaemon(daemon)
            try await installation.eventually("the extension has ended") { kill(provider, 0) != 0 }
        }
    }

    @Test("D1: the readiness byte is sent when clients can connect, and never by a daemon that loses the start")
    func readiness() async throws {
        try await Installation.with { installation in
            let first = try await Self.startWithReadiness(installation)
            #expect(first.byte == 1)
            #expect(installation.answers)
            let second = try await Self.startWithReadiness(installation)
            #expect(second.byte == nil)
            try await installation.waitForEnd(of: second.process)
            #expect(second.process.terminationStatus == 0)
            try await installation.killDaemon(first.process)
        }
    }

    @Test("D2: the process that waits for readiness may exit; the daemon keeps running")
    func impatientStarter() async throws {
        try await Installation.with { installation in
            let pipe = Pipe()
            let process = try Self.start(installation, pipe)
            try pipe.fileHandleForReading.close()
            try await installation.eventually("it answers") { installation.answers || !process.isRunning }
            #expect(process.isRunning)
            #expect(installation.answers)
            try await installation.killDaemon(process)
        }
    }

    @Test("D2: an idle daemon exits and removes its socket; with a client it stays")
    func idleness() async throws {
        try await Installation.with(environment: ["DOCENT_IDLE_SECONDS": "0.5"]) { installation in
            let client = installation.client()
            _ = try await client.providers()
            let daemon = try #require(installation.daemonProcess)
            try await Task.sleep(for: .seconds(2))
            #expect(installation.daemonProcess == daemon, "a session is open")
            #expect(installation.answers)
            client.close()
            try await installation.eventually("it exits") { installation.daemonProcess == nil }
            #expect(!FileManager.default.fileExists(atPath: installation.socket))
        }
    }

    @Test("D2: a client with a socket of its own never starts a daemon")
    func givenSocket() async throws {
        try await Installation.with { installation in
            let outcome = try await installation.docent(
                "providers", environment: ["DOCENT_SOCKET": installation.root + "/run/none.sock"])
            #expect(outcome.status == 5)
            #expect(installation.daemonProcess == nil)
        }
    }

    private static func inode(_ path: String) throws -> UInt64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Problem("there is no \(path)") }
        return UInt64(status.st_ino)
    }

    private static func start(_ installation: Installation, _ pipe: Pipe) throws -> ChildProcess {
        // Descriptor 1 receives the byte: a daemon has no other use for it.
        let process = try ChildProcess(
            Installation.binaries + "/docentd", ["--ready-descriptor", "1"], environment: installation.environment,
            output: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
        try? pipe.fileHandleForWriting.close()
        return process
    }

    private static func startWithReadiness(
        _ installation: Installation
    ) async throws -> (process: ChildProcess, byte: UInt8?) {
        let pipe = Pipe()
        let process = try start(installation, pipe)
        let byte = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                let count = Glibc.read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
                continuation.resume(returning: count == 1 ? byte : nil)
            }
        }
        return (process, byte)
    }
}
