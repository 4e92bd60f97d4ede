package import Foundation
import Glibc

/// The common part of the servers in Tests/Servers and the proxy: running their scripts, and curl for requests.
package enum TestServers {
    package static var folder: String { Repository.servers }

    /// Runs a script or curl in the tests' environment.
    package static func run(_ program: String, _ arguments: [String], input: Data? = nil) async throws -> Outcome {
        if program.hasPrefix(folder) { Admission.expect(.server) }
        var environment = ProcessInfo.processInfo.environment
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] { environment[name] = nil }
        return try await Outcome.run(program, arguments, input: input, environment: environment, folder: "/")
    }

    /// Runs `body` with the address of a server that a script of Tests/Servers starts; the server is ended and removed
    /// afterwards.
    package static func with<Result>(
        _ script: String, user: String, password: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let program = "\(folder)/\(script).sh"
        let directory = "/tmp/docent-\(script)-\(UUID().uuidString.prefix(8))"
        func remove() async {
            _ = try? await run(program, ["kill", directory])
            try? FileManager.default.removeItem(atPath: directory)
        }
        do {
            let options = ["--parent", "\(getpid())", "--user", user, "--password", password]
            let started = try await run(program, ["start", directory] + options).succeeded()
            guard let url = fields(started.text)["url"] else {
                throw Problem("\(script) printed no address: \(started)")
            }
            let result = try await body(url)
            await remove()
            return result
        } catch {
            await remove()
            throw error
        }
    }

    /// Reads `name=value` lines.
    package static func fields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            fields[String(line[..<sign])] = String(line[line.index(after: sign)...])
        }
        return fields
    }

    /// A path in URL form; slashes are not escaped.
    package static func escaped(_ path: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
        return path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    }

    /// Sends a request with curl; throws when no reply arrived.
    package static func curl(_ arguments: [String], _ url: String, body: Data? = nil) async throws -> WebDAVServer.Reply
    {
        let base = NSTemporaryDirectory() + "docent-curl-\(UUID().uuidString)"
        defer { for suffix in ["head", "body"] { unlink("\(base).\(suffix)") } }
        var all = ["--silent", "--show-error", "--max-time", "120", "--globoff", "--path-as-is"]
        all += ["--dump-header", base + ".head", "--output", base + ".body", "--write-out", "%{http_code}"]
        // A file instead of standard input, so that curl can send it again after a 401.
        if let body {
            try body.write(to: URL(fileURLWithPath: base + ".send"))
            all += ["--upload-file", base + ".send"]
        }
        defer { unlink(base + ".send") }
        let outcome = try await run("/usr/bin/curl", all + arguments + [url]).succeeded()
        let heads = (try? String(contentsOfFile: base + ".head", encoding: .isoLatin1)) ?? ""
        let head = heads.components(separatedBy: "\r\n\r\n").last { !$0.isEmpty } ?? ""
        var headers: [String: String] = [:]
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        return WebDAVServer.Reply(
            status: Int(outcome.text) ?? 0, headers: headers,
            body: (try? Data(contentsOf: URL(fileURLWithPath: base + ".body"))) ?? Data())
    }
}
