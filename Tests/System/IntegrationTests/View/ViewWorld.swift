import DocentTestSupport
import Foundation
import Testing

/// A mounted folder of LocalFolder with the document `a.txt`, which contains "hello" and a line feed, seen through the
/// view and at its provider.
struct ViewWorld: Sendable {
    let view: ViewedInstallation
    /// The name of the account's folder.
    let account: String

    /// - Parameter departure: the seconds after which a rename to a backup's name reaches the provider. By default no
    ///   machine is so slow that it happens during a test.
    static func with(departure: Int = 3600, _ body: (ViewWorld) async throws -> Void) async throws {
        let environment = ["DOCENT_VIEW_FRESH_SECONDS": "0", "DOCENT_VIEW_DEPARTURE_SECONDS": "\(departure)"]
        try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("hello\n", to: "a.txt")
            try await ViewedInstallation.with(installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                try await body(ViewWorld(view: view, account: String(account)))
            }
        }
    }

    /// The content at the provider; nil without a document.
    func stored(_ name: String) -> String? { view.installation.read(view.installation.documents + "/" + name) }

    /// The names at the provider, without its trash.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: view.installation.documents)
            .filter { !$0.hasPrefix(".Trash-") }.sorted()
    }

    /// Runs a script in the account's folder.
    @discardableResult
    func run(_ script: String) async throws -> Outcome {
        try await view.run("/bin/sh", "-c", "cd '\(account)' && " + script)
    }

    func identifier(_ name: String) async throws -> String {
        try await run("getfattr --only-values -n user.docent.identifier '\(name)'").succeeded().text
    }
}
