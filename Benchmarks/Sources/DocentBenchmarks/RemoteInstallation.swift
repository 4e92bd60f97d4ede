import Documents
import Foundation
import Glibc

/// A Docent whose WebDAV provider has domains on a server of the benchmark.
struct RemoteInstallation: Sendable {
    let installation: Installation
    let server: TestServer

    /// Runs a benchmark with an installation that has the domain `work`, and removes it afterwards.
    ///
    /// - Parameter prepare: fills the server's directory before the domain is added.
    static func with<Result>(
        _ settings: Settings, prepare: (TestServer) throws -> Void,
        _ body: (RemoteInstallation) async throws -> Result
    ) async throws -> Result {
        try await Installation.with(settings, provider: "WebDAV") { installation in
            try await TestServer.with(settings, in: installation.root + "/server") { server in
                try prepare(server)
                let remote = RemoteInstallation(installation: installation, server: server)
                try remote.addDomain("work")
                return try await body(remote)
            }
        }
    }

    /// Adds a domain that does not know the server's contents yet.
    func addDomain(_ name: String) throws {
        try installation.docent("domains", "add", "WebDAV", name, "--url", server.url)
    }

    /// A location of a domain.
    func location(_ path: String, domain: String = "work") -> DocumentLocation {
        DocumentLocation(provider: "org.docent.WebDAV", domain: domain, path: path)
    }

    // MARK: The other side

    /// Runs curl and returns the seconds that it took.
    func curl(_ arguments: String...) throws -> Double {
        try Program.run("/usr/bin/curl", ["-s", "-S", "-f"] + arguments, environment: installation.environment)
    }

    /// Runs rclone on the server and returns the seconds that it took.
    func rclone(_ arguments: String..., output: String = "/dev/null") throws -> Double {
        try Program.run(
            installation.settings.rclone,
            arguments + [
                "--webdav-url", server.url, "--webdav-vendor", "other", "--config", installation.root + "/rclone.conf",
                "--log-level", "ERROR",
            ],
            environment: installation.environment, output: output)
    }
}
