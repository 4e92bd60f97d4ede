import DocentTestSupport
import Foundation
import Testing

/// The files that `make install` puts below share/doc, for a reader without a source tree.
@Suite(.needs(.programs)) struct InstalledDocumentationTests {
    @Test(
        "every link in the installed pages, examples, templates and sources resolves to an installed file, and the examples use the installed SDK"
    )
    func installed() async throws {
        let stage = try await InstallStage()
        defer { stage.remove() }
        try await stage.run("install").succeeded()
        let pages = stage.names().filter { $0.hasSuffix(".md") }
        for name in [
            "README.md", "CONTRIBUTING.md", "docs/webdav.md", "docs/clients/protocol.md", "docs/providers/manifest.md",
            "docs/contributing/modules.md", "Examples/Notes/README.md",
        ] {
            #expect(pages.contains("share/doc/docent/" + name))
        }
        #expect(pages.contains { $0.hasPrefix("share/docent/sdk/Sources/") })
        var found = 0
        for page in pages {
            let text = try String(contentsOfFile: stage.prefix + "/" + page, encoding: .utf8)
            let folder = URL(filePath: stage.prefix + "/" + page).deletingLastPathComponent()
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                let target = match.1.prefix { $0 != "#" }
                if target.contains("://") {
                    #expect(target.hasPrefix("https://"), "\(page) links to \(target)")
                    continue
                }
                if target.isEmpty { continue }
                found += 1
                let place = folder.appending(path: String(target)).standardizedFileURL.path
                #expect(place.hasPrefix(stage.prefix + "/share/"), "\(page) links to \(target), outside of it")
                let isThere = FileManager.default.fileExists(atPath: place)
                #expect(isThere, "the installed \(page) links to \(target), which is not installed")
            }
        }
        #expect(found > 100, "\(found) links")

        // The examples are built with the files installed next to them, and are removed with them.
        let sdk = stage.prefix + "/share/docent/sdk"
        #expect(FileManager.default.fileExists(atPath: sdk + "/Package.swift"))
        for example in ["Notes", "HelloProvider"] {
            let manifest = try String(
                contentsOfFile: "\(stage.documentation)/Examples/\(example)/Package.swift", encoding: .utf8)
            #expect(manifest.contains(#".package(name: "docent", path: "\#(sdk)")"#), "\(manifest)")
            #expect(!manifest.contains("trait"), "\(manifest)")
        }
        try await stage.run("uninstall").succeeded()
        #expect(!FileManager.default.fileExists(atPath: stage.prefix), "\(stage.names())")
    }
}
