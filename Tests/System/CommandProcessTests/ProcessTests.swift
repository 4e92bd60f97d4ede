import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The built program, without a daemon.
@Suite(.needs(.programs)) struct ProcessTests {
    private struct Outcome {
        let status: CInt
        let output: String
        let error: String
    }

    private static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let (process, output, error) = try start(arguments, environment: environment)
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
            error: String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }

    private static func start(
        _ arguments: [String], environment: [String: String]
    ) throws -> (Process, output: Pipe, error: Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: Installation.binaries + "/docent")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["DOCENT_SOCKET": "/nonexistent/docent.sock"].merging(environment) { _, new in new }
        ) { _, new in new }
        let (output, error) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = error
        try process.run()
        return (process, output, error)
    }

    @Test("--version and --help write to standard output and exit with 0")
    func answers() throws {
        let version = try Self.run(["--version"])
        #expect(version.status == 0 && version.output == "docent 0.1.0\n" && version.error.isEmpty)
        let help = try Self.run(["provider", "enable", "--help"])
        #expect(help.status == 0 && help.output.contains("EXAMPLES") && help.error.isEmpty)
    }

    @Test(
        "The program exits with the documented codes when there is no daemon",
        arguments: [
            (["nonsense"], 64), (["cat"], 64), (["ls", "P:/"], 5), (["grants", "--json"], 5),
            (["daemon", "status"], 5),
            (["daemon", "stop"], 0), (["daemon", "start"], 5), (["export", "/no/such/file", "P:/"], 2),
            (["export", "/tmp", "P:/"], 64), (["provider", "validate", "/no/such/manifest.plist"], 1), (["doctor"], 1),
        ] as [([String], CInt)])
    func exitCodes(arguments: [String], expected: CInt) throws {
        let outcome = try Self.run(arguments)
        #expect(outcome.status == expected, "\(arguments): \(outcome.error)")
        if ![0, 1].contains(expected), arguments != ["daemon", "status"] {
            #expect(outcome.error.hasPrefix("docent: "))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("`docent doctor --json` reports that no daemon runs and still performs the checks that need none")
    func doctor() throws {
        let outcome = try Self.run(["doctor", "--json"])
        let checks = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        let names = checks.compactMap { $0["name"] as? String }
        #expect(names == ["program", "socket", "daemon", "manifests"])
        #expect(checks.first { $0["name"] as? String == "daemon" }?["status"] as? String == "error")
    }

    @Test("The error message of a daemon that fails to start is passed on")
    func failingDaemon() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docent-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let daemon = folder.appending(path: "daemon")
        try ProgramFile.writeBlocking(
            "#!/bin/sh\necho 'No room for a socket.' >&2\nexit 1\n", to: daemon.path)
        let outcome = try Self.run(
            ["daemon", "start"],
            environment: ["DOCENT_SOCKET": "", "XDG_RUNTIME_DIR": folder.path, "DOCENT_DAEMON": daemon.path])
        #expect(outcome.status == 5)
        #expect(outcome.error.contains("No room for a socket."))
    }

    @Test("A signal ends a command whose daemon never answers; the exit code is 7", arguments: [SIGINT, SIGTERM])
    func signal(number: CInt) throws {
        let path = "/tmp/docent-\(UUID().uuidString.prefix(8)).sock"
        let listener = try Self.listen(path)
        defer { close(listener); unlink(path) }
        let (process, _, error) = try Self.start(["ls", "P:/"], environment: ["DOCENT_SOCKET": path])
        // It has connected, so its signal handlers are installed.
        let connection = accept(listener, nil, nil)
        try #require(connection >= 0)
        defer { close(connection) }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 7)
        #expect(String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).hasPrefix("docent: "))
    }

    private static func listen(_ path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        try #require(Glibc.listen(listener, 5) == 0)
        return listener
    }
}
