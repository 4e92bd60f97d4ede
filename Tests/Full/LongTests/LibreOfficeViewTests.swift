import DocentTestSupport
import Foundation
import Testing

/// LibreOffice with documents of a server in a mounted folder.
@Suite(.needs(.daemon, .server, .processor, within: .seconds(1200))) struct LibreOfficeViewTests {
    @Test("a remote document is converted without a window, opened in one, changed and saved, and the server has it")
    func saves() async throws {
        try await RemoteInstallation.with { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let folder = "\(view.folder)/\(account)"
                let source = remote.installation.root + "/letter.txt"
                try "Hello from the test.\n".write(toFile: source, atomically: true, encoding: .utf8)
                _ = try await Self.convert(source, to: "odt", folder, view).succeeded()
                _ = try await remote.docent("drain").succeeded()
                try await remote.installation.eventually("the local copy is removed") {
                    try await remote.docent("evict", remote.location("letter.odt")).status == 0
                }
                _ = try await Self.convert(folder + "/letter.odt", to: "pdf", folder, view).succeeded()
                _ = try await remote.installation.run(
                    "/bin/bash",
                    [Repository.root + "/Tests/Programs/libreoffice_window.sh", folder + "/letter.odt", "Typed. "]
                ).succeeded()
                _ = try await remote.docent("drain").succeeded()

                // What the server has, by its own means.
                let kept = remote.installation.root + "/kept.odt"
                try #require(try await remote.server.get("letter.odt")).write(to: URL(fileURLWithPath: kept))
                let text = try await remote.installation.run("/usr/bin/unzip", ["-p", kept, "content.xml"]).succeeded()
                #expect(text.text.contains("Typed. ") && text.text.contains("Hello from the test."), "\(text.text)")
                #expect(try await remote.server.get("letter.pdf")?.starts(with: Data("%PDF".utf8)) == true)
                let names = try await view.run("ls", "-A", String(account)).succeeded().text
                #expect(names == "letter.odt\nletter.pdf\n", "its lock file has gone: \(names)")
                #expect(try await remote.server.list().sorted() == ["letter.odt", "letter.pdf"])
            }
        }
    }

    private static func convert(
        _ path: String, to form: String, _ folder: String, _ view: ViewedInstallation
    ) async throws -> Outcome {
        try await view.installation.run(
            "/usr/bin/soffice", ["--headless", "--convert-to", form, "--outdir", folder, path])
    }
}
