import Foundation
import Glibc

/// A real identity server for one test, by Tests/Servers/identity.sh; the README there says what it does.
final class IdentityService: Sendable {
    static let user = "anna"
    static let password = "hush-identity-8a41c7"

    /// What it remembers.
    struct State: Decodable {
        struct Request: Decodable {
            var path: String
            var grant: String?
        }
        var access: [String]
        var refresh: [String]
        var requests: [Request]
        var userCodes: [String]

        /// How often tokens were asked for in place of others.
        var renewals: Int { requests.count { $0.grant == "refresh_token" } }
    }

    /// With a slash at its end.
    let url: String
    private let directory: String

    private init(directory: String) async throws {
        self.directory = directory
        let started = try await TestServers.run(
            TestServers.folder + "/identity.sh",
            ["start", directory, "--parent", "\(getpid())", "--user", Self.user, "--password", Self.password])
        guard let url = TestServers.fields(try started.succeeded().text)["url"] else {
            throw Problem("the identity server printed no address: \(started)")
        }
        self.url = url
    }

    /// Gives one to a test; ended and removed afterwards.
    static func with<Result>(_ body: (IdentityService) async throws -> Result) async throws -> Result {
        let directory = "/tmp/docent-identity-\(UUID().uuidString.prefix(8))"
        do {
            let result = try await body(IdentityService(directory: directory))
            await remove(directory)
            return result
        } catch {
            await remove(directory)
            throw error
        }
    }

    private static func remove(_ directory: String) async {
        _ = try? await TestServers.run(TestServers.folder + "/identity.sh", ["kill", directory])
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Has it do something.
    func control(_ what: String, _ wish: String = "{}") async throws { _ = try await ask(what, wish) }

    func state() async throws -> State {
        try JSONDecoder().decode(State.self, from: Data(try await ask("state", "{}").utf8))
    }

    /// What somebody does who types a code into a browser elsewhere.
    func type(_ code: String, action: String = "approve") async throws {
        try await TestServers.run(
            "/usr/bin/curl",
            [
                "-sf", "-d", "user_code=\(code)", "-d", "username=\(Self.user)", "-d", "password=\(Self.password)",
                "-d",
                "action=\(action)", url + "device",
            ]
        ).succeeded()
    }

    /// A program that is a browser whose user signs in, or refuses, and that goes where it is sent.
    func browser(in folder: String, action: String = "approve") throws -> String {
        let path = "\(folder)/browser-\(action)"
        let script = """
            #!/bin/sh
            exec curl -s -L -m 30 -d username=\(Self.user) -d password=\(Self.password) -d action=\(action) -o /dev/null "$1"

            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o755)
        return path
    }

    private func ask(_ what: String, _ wish: String) async throws -> String {
        try await TestServers.run("/usr/bin/curl", ["-sf", "-d", wish, url + "control/" + what]).succeeded().text
    }
}
