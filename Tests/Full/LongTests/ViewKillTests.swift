import DocentTestSupport
import Foundation
import Testing

/// The table of docs/view.md: each kind of request is done, whichever process is killed in the middle of it.
@Suite(.needs(.daemon, within: .seconds(3600))) struct ViewKillTests {
    @Test("a request is done although the view, its keeper, the daemon or the provider is killed in the middle of it")
    func table() async throws {
        try await Installation.withLocalFolder { installation in
            try await ViewedInstallation.with(installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let outcome = try await view.run(
                    "/usr/bin/python3", Repository.root + "/Tests/Programs/view_kills.py", view.folder,
                    "\(view.folder)/\(account)", installation.documents, installation.data + "/docent.lock")
                #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            }
        }
    }
}
