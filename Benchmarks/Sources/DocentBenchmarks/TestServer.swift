import Foundation
import Glibc

/// Apache's WebDAV server on its own directory, started by the script that the tests use.
final class TestServer: Sendable {
    /// Its address, with a slash at the end.
    let url: String
    /// The directory of its documents.
    let data: String
    private let settings: Settings
    private let directory: String

    private init(_ settings: Settings, _ directory: String) throws {
        self.settings = settings
        self.directory = directory
        data = directory + "/data"
        let output = directory + ".address"
        try Program.run(
            settings.servers + "/apache.sh", ["start", directory, "--parent", "\(getpid())"],
            environment: Self.environment(settings), output: output)
        let address = try String(contentsOfFile: output, encoding: .utf8)
        guard let line = address.split(separator: "\n").first(where: { $0.hasPrefix("url=") }) else {
            throw Problem("the server did not tell its address")
        }
        url = String(line.dropFirst(4))
    }

    /// Runs a benchmark with a server and ends the server afterwards. `directory` is not removed here, but with its
    /// parent.
    static func with<Result>(
        _ settings: Settings, in directory: String, _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let server = try TestServer(settings, directory)
        defer { server.stop() }
        return try await body(server)
    }

    private func stop() {
        _ = try? Program.run(
            settings.servers + "/apache.sh", ["stop", directory], environment: Self.environment(settings))
    }

    private static func environment(_ settings: Settings) -> [String: String] {
        ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin", "LANG": "C.UTF-8", "DOCENT_TEST_PYTHON": settings.python]
    }
}
