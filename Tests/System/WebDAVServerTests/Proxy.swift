import DocentTestSupport
import FoundationEssentials
import Glibc

/// The fault proxy of Tests/Servers in front of a server.
struct Proxy: Sendable {
    let url: String
    private let control: String

    static func with<Result>(_ target: String, _ body: (Proxy) async throws -> Result) async throws -> Result {
        let file = Shell.temporary("proxy")
        _ = try Shell.run(
            "setsid /usr/bin/python3 '\(Repository.servers)/fault_proxy.py' '\(target)' --parent \(getpid()) "
                + "</dev/null >'\(file)' 2>&1 &")
        defer { unlink(file) }
        for _ in 0..<600 {
            let text = (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""
            if let pid = try? TestServers.field("pid", of: text), text.hasSuffix("\n"), let process = pid_t(pid) {
                defer { kill(process, SIGKILL) }
                return try await body(
                    Proxy(
                        url: TestServers.field("url", of: text), control: TestServers.field("control", of: text)))
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ServerProblem(description: "the proxy did not start")
    }

    /// Adds a rule, in JSON.
    func add(_ rule: String) throws {
        let reply = try Shell.curl("--data-binary '\(rule)'", control + "rules")
        guard reply.status == 200 else { throw ServerProblem(description: reply.body) }
    }

    func post(_ command: String) throws { _ = try Shell.curl("-X POST", control + command) }

    /// The methods of all requests so far.
    func methods() throws -> [String] { try record().map(\.method) }

    /// The paths of all requests so far that have a method.
    func paths(_ method: String) throws -> [String] { try record().filter { $0.method == method }.map(\.path) }

    private struct Request: Decodable {
        var method: String
        var path: String
    }

    private func record() throws -> [Request] {
        try JSONDecoder().decode([Request].self, from: Data(requests().utf8))
    }

    /// The record of all requests, as JSON.
    func requests() throws -> String { try Shell.curl("", control + "requests").body }
}
