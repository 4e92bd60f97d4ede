import Foundation
import Glibc

/// The proxy of Tests/Servers/fault_proxy.py in front of a server. It applies rules to requests and records them.
package final class FaultProxy: Sendable {
    /// A request as the proxy received it.
    package struct Request: Decodable, Sendable {
        package var number: Int
        package var method: String
        /// Escaped, as it was sent.
        package var path: String
        /// By lower-case name.
        package var headers: [String: String]
        package var destination: String?
        /// The status that the client received; nil if there was none yet, or at all.
        package var status: Int?
        /// The status from the server.
        package var upstreamStatus: Int?
        package var requestBytes: Int
        package var responseBytes: Int
        /// The names of the applied rules.
        package var rules: [String]
        /// Whether the client received the whole reply; set shortly after that.
        package var complete: Bool
        /// Whether the request has ended, successfully or not.
        package var finished: Bool
        /// The number of the GET after which it was forwarded, if its client had gone: see ``FaultRule/late(_:)``.
        package var late: Int?
        /// The same number for all requests on a connection.
        package var connection: Int

        package var range: String? { headers["range"] }
        package var ifMatch: String? { headers["if-match"] }
        package var ifRange: String? { headers["if-range"] }
    }

    /// The address of the target through the proxy, including the path.
    package let url: String
    private let control: String
    private let process: ChildProcess
    private let output: String

    private init(target: String, host: String) async throws {
        output = NSTemporaryDirectory() + "docent-proxy-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process = try ChildProcess(
            "/usr/bin/python3",
            [TestServers.folder + "/fault_proxy.py", target, "--host", host, "--parent", "\(getpid())"],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], output: .file(output), errors: .file(output))
        let deadline = Date().addingTimeInterval(60)
        var fields: [String: String] = [:]
        while fields["pid"] == nil {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            guard process.isRunning, Date() < deadline else {
                process.send(SIGKILL)
                throw Problem("the proxy did not start: \(text)")
            }
            if text.hasSuffix("\n") { fields = TestServers.fields(text) }
            if fields["pid"] == nil { try await Task.sleep(for: .milliseconds(20)) }
        }
        url = fields["url"] ?? ""
        control = fields["control"] ?? ""
    }

    private func end() {
        process.send(SIGKILL)
        process.waitUntilExit()
        unlink(output)
    }

    /// Runs `body` with a proxy in front of `target`, an `http:` address.
    ///
    /// - Parameter host: the local address on which the proxy listens.
    package static func with<Result>(
        _ target: String, at host: String = "127.0.0.1", _ body: (FaultProxy) async throws -> Result
    ) async throws -> Result {
        Admission.expect(.server)
        let proxy = try await FaultProxy(target: target, host: host)
        defer { proxy.end() }
        return try await body(proxy)
    }

    // MARK: Control

    /// Adds rules, which apply to requests from now on.
    package func add(_ rules: FaultRule...) async throws { try await post("rules", JSONEncoder().encode(rules)) }

    /// Removes all rules.
    package func clearRules() async throws { try await post("rules/clear") }

    /// Releases all held requests.
    package func release() async throws { try await post("release") }

    /// Waits until a request is held by a rule without a name. A release before that has no effect on it.
    package func held(_ method: String) async throws {
        _ = try await request("a \(method) is held") {
            $0.method == method && $0.rules.contains("hold") && !$0.finished
        }
    }

    /// Refuses connections from now on, and ends the current ones.
    package func refuse() async throws { try await post("refuse") }

    /// Listens again on the same port.
    package func accept() async throws { try await post("accept") }

    /// Ends all current connections.
    package func cut() async throws { try await post("cut") }

    /// Removes all rules and records, releases held requests, and listens.
    package func reset() async throws { try await post("reset") }

    /// All requests since the start or the last reset, in order, including those in progress.
    package func requests(_ method: String? = nil) async throws -> [Request] {
        let reply = try await TestServers.curl([], control + "requests")
        let all = try JSONDecoder().decode([Request].self, from: reply.body)
        return all.filter { method == nil || $0.method == method }
    }

    /// Waits for a request that meets the condition.
    package func request(
        _ what: String, within seconds: Double = 60, _ condition: (Request) -> Bool
    ) async throws -> Request {
        let deadline = Date().addingTimeInterval(seconds)
        while true {
            let all = try await requests()
            if let found = all.first(where: condition) { return found }
            guard Date() < deadline else {
                throw Problem(
                    "no request ever: \(what); seen: \(all.map { "\($0.method) \($0.path) \($0.status ?? 0)" })")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func post(_ command: String, _ content: Data? = nil) async throws {
        let text = content.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let reply = try await TestServers.curl(["--data-binary", text], control + command)
        guard reply.status == 200 else { throw Problem("the proxy refused \(command): \(reply.text)") }
    }
}
