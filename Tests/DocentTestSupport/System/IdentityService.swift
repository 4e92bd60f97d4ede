import Foundation
import Glibc

/// A real identity server for one test, from Tests/Servers/identity.sh; the README there describes it.
package final class IdentityService: Sendable {
    package static let user = "anna"
    package static let password = "hush-identity-8a41c7"

    /// The server's recorded state.
    package struct State: Decodable {
        package struct Request: Decodable {
            package var path: String
            package var grant: String?
        }
        package var access: [String]
        package var refresh: [String]
        package var requests: [Request]
        package var userCodes: [String]

        /// How often tokens were refreshed.
        package var renewals: Int { requests.count { $0.grant == "refresh_token" } }
    }

    /// With a trailing slash.
    package let url: String
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

    /// Runs `body` with a server, which is ended and removed afterwards.
    package static func with<Result>(_ body: (IdentityService) async throws -> Result) async throws -> Result {
        Admission.expect(.server)
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

    /// Sends a control command.
    package func control(_ what: String, _ wish: String = "{}") async throws { _ = try await ask(what, wish) }

    package func state() async throws -> State {
        try JSONDecoder().decode(State.self, from: Data(try await ask("state", "{}").utf8))
    }

    /// Acts as a person who types a code into a browser elsewhere.
    package func type(_ code: String, action: String = "approve") async throws {
        try await TestServers.run(
            "/usr/bin/curl",
            [
                "-sf", "-d", "user_code=\(code)", "-d", "username=\(Self.user)", "-d", "password=\(Self.password)",
                "-d",
                "action=\(action)", url + "device",
            ]
        ).succeeded()
    }

    /// A program that acts as a browser: its user signs in or refuses, and it follows redirects.
    package func browser(in folder: String, action: String = "approve") async throws -> String {
        let path = "\(folder)/browser-\(action)"
        let script = """
            #!/bin/sh
            exec curl -s -L -m 300 -d username=\(Self.user) -d password=\(Self.password) -d action=\(action) -o /dev/null "$1"

            """
        try await ProgramFile.write(script, to: path)
        return path
    }

    private func ask(_ what: String, _ wish: String) async throws -> String {
        try await TestServers.run("/usr/bin/curl", ["-sf", "-d", wish, url + "control/" + what]).succeeded().text
    }
}
