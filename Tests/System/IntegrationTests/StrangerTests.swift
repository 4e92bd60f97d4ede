import DocentTestSupport
import Foundation
import Testing

/// A provider from outside the tree: built by itself, dropped in, used.
@Suite(.needs(.daemon, .processor)) struct StrangerTests {
    @Test(
        "a third party's provider is built outside the tree, dropped into the user's directories, and serves documents")
    func droppedIn() async throws {
        // The search path is tested: the provider is found only through the user's own directories.
        try await Installation.with(environment: ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""]) {
            installation in
            let library = try await Self.build(in: installation)
            try Self.drop(library, into: installation)
            let all = try await installation.docent("providers", "--all").succeeded().text
            #expect(all.contains("org.example.Hello") && all.contains("disabled"), "installing does not enable (A14)")
            #expect(try await installation.docent("ls", "Hello:/").status == 3)
            try await installation.docent("provider", "enable", "org.example.Hello", "--yes").succeeded()
            #expect(
                try await installation.docent("ls", "Hello:/").succeeded().text == "Letters/\nReport.txt\nWelcome.txt\n"
            )
            let listed = try await installation.docent("ls", "Hello:/Letters").succeeded().text
            #expect(listed == "To whom it may concern.txt\n")

            let report = try await installation.docent("cat", "Hello:/Report.txt").succeeded().text
            #expect(report == (1...6_000).map { "\($0): Hello from a provider that was dropped in.\n" }.joined())
            let opened = try await installation.docent("open", "Hello:/Welcome.txt", "--json").succeeded().json(
                Opened.self)
            try await installation.docent(
                "write", "--bookmark", opened.bookmark, input: Data("written back".utf8)
            ).succeeded()
            // Requested from the provider again, by a daemon without cached content.
            #expect(try await installation.docent("cat", "Hello:/Welcome.txt").succeeded().text == "written back")
            let copy = installation.home + "/letter.txt"
            try await installation.docent("import", "Hello:/Letters/To whom it may concern.txt", "-o", copy).succeeded()
            try await installation.docent("export", copy, "Hello:/Letters/again.txt").succeeded()
            let again = try await installation.docent("cat", "Hello:/Letters/again.txt").succeeded().text
            #expect(again == installation.read(copy))
            #expect(try await installation.docent("export", copy, "Hello:/Letters/again.txt").status == 6)
            let status = try await installation.docent("daemon", "status").succeeded().text
            #expect(status.contains("org.example.Hello"))
        }
    }

    private struct Opened: Decodable { var bookmark: String }

    /// Copies the example away, points it at this source tree, and builds its library there.
    private static func build(in installation: Installation) async throws -> String {
        let package = installation.root + "/HelloProvider"
        let files = FileManager.default
        try files.createDirectory(atPath: package, withIntermediateDirectories: true)
        let example = Repository.root + "/Examples/HelloProvider"
        for name in ["Package.swift", "Sources", "Tests", "manifests"] {
            try files.copyItem(atPath: "\(example)/\(name)", toPath: "\(package)/\(name)")
        }
        let manifest = try #require(installation.read(package + "/Package.swift"))
        let changed = manifest.replacingOccurrences(of: #"path: "../..""#, with: #"path: "\#(Repository.root)""#)
        try #require(changed != manifest)
        try Data(changed.utf8).write(to: URL(fileURLWithPath: package + "/Package.swift"))
        let own = ProcessInfo.processInfo.environment
        try await installation.run(
            "/usr/bin/env",
            [
                "swift", "build", "--package-path", package, "--scratch-path", Repository.nestedBuild, "--product",
                "HelloProvider", "--disable-sandbox",
            ], environment: ["PATH": own["PATH"] ?? "", "HOME": own["HOME"] ?? installation.home]
        ).succeeded()
        let checkouts = (try? files.contentsOfDirectory(atPath: Repository.nestedBuild + "/checkouts")) ?? []
        #expect(checkouts.isEmpty, "a provider does not clone the daemon's dependencies")
        return Repository.nestedBuild + "/debug/libHelloProvider.so"
    }

    private static func drop(_ library: String, into installation: Installation) throws {
        let files = FileManager.default
        let (manifests, providers) = (installation.data + "/manifests", installation.data + "/providers")
        for folder in [manifests, providers] {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        try files.copyItem(atPath: library, toPath: providers + "/libHelloProvider.so")
        let example = installation.root + "/HelloProvider/manifests"
        for name in try files.contentsOfDirectory(atPath: example) {
            try files.copyItem(atPath: "\(example)/\(name)", toPath: "\(manifests)/\(name)")
        }
    }
}
