import DocentTestSupport
import Foundation
import Testing

/// The validator's cases with real rclone back ends.
@Suite(.needs(.daemon, .server, .validator, within: .seconds(1800))) struct RcloneValidationTests {
    /// The back end of the validation.
    enum BackEnd: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case local, memory, webdav, s3

        var testDescription: String { rawValue }
        /// All but the one case of level 10 on every back end. SeaweedFS takes nine minutes for its ten thousand
        /// operations on an otherwise idle machine.
        var level: String { self == .s3 ? "9" : "10" }
        /// The script of its server.
        var server: String? {
            switch self {
            case .local, .memory: nil
            case .webdav: "rclone"
            case .s3: "s3"
            }
        }
    }

    @Test("the Rclone provider passes validation on real rclone back ends", arguments: BackEnd.allCases)
    func passes(_ backEnd: BackEnd) async throws {
        try await Installation.with(localFolder: false) { installation in
            try RcloneInstallation.writeManifests(to: installation.manifests)
            var arguments = [
                "provider", "validate", RcloneInstallation.provider, "--level", backEnd.level, "--seed", "1",
                "--setting",
                "program=\(RcloneInstallation.program)", "--identifiers-are-paths",
            ]
            let server = installation.root + "/server"
            switch backEnd {
            case .local:
                let folder = installation.home + "/shown"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                arguments += ["--folder", folder]
            case .memory: arguments += ["--setting", "remote=:memory:documents", "--forgets-documents"]
            case .webdav:
                let url = try await Self.start("rclone", in: server)
                arguments += try Self.account(
                    installation, "webdav", "url=\(url),vendor=other,user=\(Self.username)", secret: "pass")
            case .s3:
                let url = try await Self.start("s3", in: server)
                arguments += ["--setting", "path=documents"]
                arguments += try Self.account(
                    installation, "s3",
                    // SeaweedFS changes the backslashes of names in its listings.
                    "provider=Other,endpoint=\(url),region=us-east-1,access_key_id=\(Self.username),encoding=Slash,,InvalidUtf8,,Dot,,BackSlash",
                    secret: "secret_access_key")
            }
            let outcome: Outcome
            do {
                outcome = try await installation.run(Installation.binaries + "/docent", arguments)
            } catch {
                try await Self.end(backEnd, in: server)
                throw error
            }
            try await Self.end(backEnd, in: server)
            #expect(outcome.status == 0, "\(outcome.text)\n\(outcome.errors)")
        }
    }

    private static func end(_ backEnd: BackEnd, in directory: String) async throws {
        guard let name = backEnd.server else { return }
        // In its own task: the test may be cancelled.
        _ = await Task {
            try await Outcome.run(
                "/bin/bash", [script(name), "kill", directory], input: nil,
                environment: ProcessInfo.processInfo.environment, folder: "/tmp")
        }.result
        try FileManager.default.removeItem(atPath: directory)
    }

    private static let username = "ada"
    private static let password = "hush-validation-40be"

    private static func script(_ name: String) -> String { "\(Repository.servers)/\(name).sh" }

    private static func start(_ name: String, in directory: String) async throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let outcome = try await Outcome.run(
            "/bin/bash",
            [
                script(name), "start", directory, "--user", username, "--password", password, "--parent",
                "\(ProcessInfo.processInfo.processIdentifier)",
            ], input: nil, environment: environment, folder: "/tmp"
        ).succeeded()
        guard let line = outcome.text.split(separator: "\n").first(where: { $0.hasPrefix("url=") }) else {
            throw Problem("\(name) printed no address: \(outcome.text)")
        }
        return String(line.dropFirst(4))
    }

    private static func account(
        _ installation: Installation, _ backend: String, _ parameters: String, secret key: String
    ) throws -> [String] {
        let file = installation.given + "/password"
        try Data("\(key)=\(password)\n".utf8).write(to: URL(filePath: file))
        return [
            "--setting", "backend=\(backend)", "--setting", "parameters=\(parameters)", "--username", username,
            "--password-file", file,
        ]
    }
}
