import DocentTestSupport
import FoundationEssentials
import Glibc
import Testing

/// A server of Tests/Servers, or the imitation of a Nextcloud; one of each kind serves all tests of a process, each in
/// its own folder.
enum ServerKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case apache, rclone, seaweedfs, nextcloud
    case asgiwebdav, copyparty, lighttpd, nginx, wsgidav
    case sabre, tomcat

    /// The servers for which everything must hold.
    static let allCases: [ServerKind] = [.apache, .rclone, .seaweedfs, .nextcloud]

    /// The servers with separate suites, because they behave differently. Two need their own Java and PHP, which only a
    /// full run has.
    static let strangers: [ServerKind] =
        [.copyparty, .lighttpd, .nginx, .wsgidav, .asgiwebdav] + (Sample.shared.isWhole ? [.sabre, .tomcat] : [])

    /// All servers of this run.
    static var every: [ServerKind] { allCases + strangers }

    /// The real servers.
    static let real: [ServerKind] = [.apache, .rclone, .seaweedfs]

    var testDescription: String { rawValue }
}

struct ServerProblem: Error, CustomStringConvertible {
    let description: String
}

actor TestServers {
    static let shared = TestServers()
    private var urls: [ServerKind: Task<String, any Error>] = [:]

    /// The address of the running server of a kind, with a trailing slash. It ends with this process.
    func url(_ kind: ServerKind) async throws -> String {
        // Starting blocks, so it is not done on Swift's task pool.
        let task = urls[kind] ?? Task(executorPreference: TestThreads.shared) { try Self.start(kind) }
        urls[kind] = task
        return try await task.value
    }

    private static func start(_ kind: ServerKind) throws -> String {
        let output: String
        if kind == .nextcloud {
            output = try Shell.run(
                "/usr/bin/python3 '\(Repository.root)/Tests/Servers/nextcloud.py' --parent \(getpid())"
            ).output
        } else {
            output = try start(kind, [], in: Shell.temporary("server-" + kind.rawValue))
        }
        return try field("url", of: output)
    }

    /// Starts a separate server and returns its output.
    static func start(_ kind: ServerKind, _ options: [String], in directory: String) throws -> String {
        try start(script: kind.rawValue, options, in: directory)
    }

    /// Starts a server with a script of Tests/Servers, and returns the output.
    static func start(script name: String, _ options: [String], in directory: String) throws -> String {
        let script = "\(Repository.servers)/\(name).sh"
        let result = try Shell.run(
            "'\(script)' start '\(directory)' --parent \(getpid()) \(options.joined(separator: " ")) 2>&1")
        guard result.status == 0 else { throw ServerProblem(description: result.output) }
        return result.output
    }

    static func field(_ name: String, of output: String) throws -> String {
        for line in output.split(separator: "\n") where line.hasPrefix(name + "=") {
            return String(line.dropFirst(name.count + 1))
        }
        throw ServerProblem(description: "no \(name) in: \(output)")
    }
}

/// Programs, run to their end.
enum Shell {
    static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.path
            + "/docent-webdav-\(name)-\(getpid())-\(UUID().uuidString.prefix(8))"
    }

    static func run(_ command: String) throws -> (status: Int, output: String) {
        // Not popen(), whose program keeps open whatever another thread has open at that moment, such as the end of a
        // pipe: its reader would wait until the server ends.
        let outcome = try Outcome.runBlocking("/bin/sh", ["-c", command])
        return (Int(outcome.status), outcome.text)
    }

    /// curl's output for a direct request, bypassing the provider.
    static func curl(_ arguments: String, _ url: String) throws -> (status: Int, body: String) {
        let result = try run("curl -s -g --noproxy '*' -w '\\n%{http_code}' \(arguments) '\(url)'")
        let parts = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (parts.last.flatMap { Int($0) } ?? 0, parts.dropLast().joined(separator: "\n"))
    }
}
