import DocentTestSupport
import Foundation
import Testing

/// A service that others use too, or that needs a password.
@Suite struct SharedServiceTests {
    @Test("concurrent runs in the same folder cause no finding", .needs(.daemon))
    func companyInAFolder() async throws {
        try await Installation.with { installation in
            let shared = installation.root + "/shared"
            try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
            // As another run would: its folder and its files appear and disappear all the time.
            let other = Task {
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    let folder = "\(shared)/docent-validation-other-\(number % 5)"
                    try? FileManager.default.removeItem(atPath: folder)
                    try? FileManager.default.createDirectory(
                        atPath: folder + "/inner-\(number)", withIntermediateDirectories: true)
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { other.cancel() }
            let (run, outcome) = try await ValidationRun.make(
                installation,
                [
                    "LocalFolder", "--folder", shared, "--filter",
                    "^(identifiers.(listings|restart|kill)|lifecycle.again|declaring.refuses|listing.root)$",
                ])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            #expect(run.named("identifiers.restart")?.outcome == "passed")
        }
    }

    @Test(
        "O6: after a restart of the daemon the account is signed in again, and nothing is left at the service",
        .needs(.daemon, .server))
    func password() async throws {
        var server = WebDAVServer.Options()
        server.username = "ada"
        let options = RemoteInstallation.Options(server: server, throughProxy: false, addsDomain: false)
        try await RemoteInstallation.with(options: options) { remote in
            try remote.write(password: remote.server.options.password)
            // The provider, its process or the daemon ends in the middle of most of them.
            let names = [
                "daemon.unsent", "daemon.evict", "daemon.extension", "daemon.grants", "restart.content",
                "creating.document", "creating.kept", "deleting.document", "deleting.kept",
            ]
            let (run, outcome) = try await ValidationRun.make(
                remote.installation,
                [
                    RemoteInstallation.provider, "--setting", "url=\(remote.url)", "--username", "ada",
                    "--password-file", remote.passwordFile, "--transport", "daemon", "--identifiers-are-paths",
                    "--seed", "1", "--filter", "^(\(names.joined(separator: "|")))$",
                ])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            for name in names {
                #expect(run.named(name)?.outcome == "passed", "\(run.named(name)?.reason ?? "not run")")
            }
            let left = try await remote.server.list()
            #expect(!left.contains { $0.hasPrefix("docent-validation-") }, "\(left)")
        }
    }
}
