import Foundation

/// An installation whose documents are mounted, for programs that know nothing of Docent.
package struct ViewedInstallation: Sendable {
    package let installation: Installation
    /// The folder that is mounted.
    package let folder: String

    /// Mounts the documents of an installation, runs `body` and unmounts them.
    package static func with<Result>(
        _ installation: Installation, _ body: (ViewedInstallation) async throws -> Result
    ) async throws -> Result {
        let view = ViewedInstallation(installation: installation, folder: installation.home + "/Docent")
        try await installation.docent("mount", environment: ["DOCENT_VIEW_LOG_FILE": installation.root + "/view-log"])
            .succeeded()
        do {
            let result = try await body(view)
            try await view.unmount()
            return result
        } catch {
            try? await view.unmount()
            throw error
        }
    }

    private func unmount() async throws {
        guard try await !status().isEmpty else { return }
        _ = try await installation.docent("unmount", folder, "--force").succeeded()
    }

    /// What `docent mount --status --json` writes.
    package func status() async throws -> [Status] {
        try await installation.docent("mount", "--status", "--json").succeeded().json([Status].self).filter {
            $0.path == folder
        }
    }

    /// A mounted folder.
    package struct Status: Decodable, Sendable {
        package let path: String
        package let state: String
        package let processIdentifier: Int32?
    }

    /// Runs a program of the system in the folder.
    package func run(_ program: String, _ arguments: String...) async throws -> Outcome {
        try await installation.run("/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments)
    }
}
