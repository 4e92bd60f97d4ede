package import Foundation
import Glibc

/// An installation whose provider Rclone, in its sandbox, runs the rclone from the tests' Python environment.
package struct RcloneInstallation: Sendable {
    package let installation: Installation

    package static let provider = "org.docent.Rclone"
    /// The rclone beside the tests' Python.
    package static let program: String = {
        let python = ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"] ?? "/var/tmp/docent-test-venv/bin/python"
        return python.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/rclone"
    }()

    /// Runs `body` with an installation.
    ///
    /// - Parameter edit: changes the manifest of the file provider before it is enabled.
    package static func with<Result>(
        editing edit: (String) -> String = { $0 }, _ body: (RcloneInstallation) async throws -> Result
    ) async throws -> Result {
        let environment = ["DOCENT_POLL_SECONDS": "1", "DOCENT_FRESH_SECONDS": "0"]
        return try await Installation.with(environment: environment, localFolder: false) { installation in
            try writeManifests(to: installation.manifests, editing: edit)
            try await installation.docent("provider", "enable", provider, "--yes").succeeded()
            return try await body(RcloneInstallation(installation: installation))
        }
    }

    /// Installs the manifests of the tree, with the tests' rclone among the programs that may be started.
    package static func writeManifests(to folder: String, editing edit: (String) -> String = { $0 }) throws {
        for point in ["FileProvider", "Picker"] {
            let name = "\(provider).\(point).plist"
            var text = try String(contentsOfFile: "\(Repository.root)/manifests/\(name)", encoding: .utf8)
            if point == "FileProvider" { text = edit(text.replacing("/opt/rclone/rclone", with: program)) }
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    package func docent(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await installation.run(
            Installation.binaries + "/docent", arguments, input: input.map { Data($0.utf8) })
    }

    /// Adds a domain with these settings and the program, without contacting its service.
    @discardableResult
    package func addDomain(_ name: String, _ settings: String...) async throws -> Outcome {
        var arguments = ["domains", "add", "rclone", name, "--unchecked", "--set", "program=\(Self.program)"]
        for setting in settings { arguments += ["--set", setting] }
        return try await installation.run(Installation.binaries + "/docent", arguments)
    }

    package func read(_ location: String) async throws -> String { try await docent("cat", location).succeeded().text }

    /// The rclone process below this installation's daemon, if there is one.
    package func rcloneProcess() async throws -> pid_t? {
        ProcessMemory.descendants(of: installation.daemonProcess).first { process in
            let text = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return text == "\(Self.program)\0rcd\0"
        }
    }
}
