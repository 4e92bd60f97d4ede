import DocentTestSupport
import Foundation
import Testing

/// pjdfstest in mounted folders. What fails there has a reason in Tests/Programs/pjdfstest-expected.txt.
@Suite(.needs(.daemon, .server, .processor, within: .seconds(5400))) struct PosixViewTests {
    /// Where the documents are.
    enum Account: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case localFolder = "LocalFolder"
        case webDAV = "WebDAV"

        var testDescription: String { rawValue }
    }

    @Test("file-system calls do what POSIX says, except for what the list names", arguments: Account.allCases)
    func conformance(_ account: Account) async throws {
        switch account {
        case .localFolder: try await Installation.withLocalFolder { try await Self.check($0, account) }
        case .webDAV:
            var options = RemoteInstallation.Options(throughProxy: false)
            options.environment["DOCENT_POLL_SECONDS"] = "0"
            try await RemoteInstallation.with(options: options) { try await Self.check($0.installation, account) }
        }
    }

    private static func check(_ installation: Installation, _ kind: Account) async throws {
        // Beside the build, which stays for the next run.
        let built = try await Outcome.run(
            "/bin/bash", [Repository.root + "/Scripts/pjdfstest.sh", Repository.root + "/.build-pjdfstest"], input: nil,
            environment: ProcessInfo.processInfo.environment, folder: "/")
        try #require(built.status == 0, "\(built.errors)")
        let suite = try #require(built.text.split(separator: "\n").last)
        try await ViewedInstallation.with(installation) { view in
            let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
            let programs = Repository.root + "/Tests/Programs"
            let outcome = try await view.run(
                "/usr/bin/python3", programs + "/pjdfstest.py", String(suite), "\(view.folder)/\(account)",
                programs + "/pjdfstest-expected.txt", "--account", kind.rawValue)
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        }
    }
}
