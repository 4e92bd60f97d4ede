import DocentTestSupport
import Foundation
import Testing

// The guide for authors: an installed Docent, an empty directory, and the commands of the page.
extension StrangersWayTests {
    @Test(
        "the commands of docs/providers/first-provider.md lead from an empty directory to a validated provider whose document `docent cat` prints"
    )
    func firstProvider() async throws {
        try await Installation.with(
            environment: ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""], localFolder: false
        ) { installation in
            let prefix = installation.root + "/prefix"
            let environment = try Self.environment(installation, prefix)
            try await installation.run(
                "/bin/bash", [Repository.root + "/Scripts/install.sh", "install"],
                environment: environment.merging(
                    ["PREFIX": prefix, "DOCENT_INSTALL_BINARIES": Installation.binaries]) { _, new in new }
            ).succeeded()

            let documentation = prefix + "/share/doc/docent"
            for path in ["licenses/GRDB.swift/LICENSE", "licenses/swift/LICENSE.txt", "Sources/FileProvider"] {
                #expect(FileManager.default.fileExists(atPath: documentation + "/" + path), "\(path)")
            }
            let shell = try StrangersShell(installation, prefix: prefix, values: [:], environment: environment)
            let output = try await shell.walk(StrangersPlan.firstProvider)
            #expect(output.contains("Hello from Postbox."), "docent cat prints its document")
            #expect(output.contains("A first line"), "the saved content is there")
            let work = installation.given
            let packages = try? FileManager.default.contentsOfDirectory(atPath: work + "/Postbox/.build/checkouts")
            #expect(packages ?? [] == [], "nothing was downloaded")
            let built = (try? FileManager.default.contentsOfDirectory(atPath: work + "/Postbox/.build/debug")) ?? []
            #expect(built.contains("Postbox.build") && !built.contains("FileProvider.build"), "the SDK was precompiled")
            for path in ["/bin/docent", "/libexec/docent/docentd"] {
                #expect(FileManager.default.isExecutableFile(atPath: prefix + path))
            }
            try await Self.giveAway(work + "/Postbox", installation, prefix, environment)
            let daemon = ["provider", "validate", "Postbox", "--level", "3", "--transport", "daemon", "--no-progress"]
            let proven = try await installation.run(prefix + "/bin/docent", daemon, environment: environment)
            #expect(proven.status == 0 && proven.text.contains("passed"), "\(proven.errors)\n\(proven.text)")
            try await installation.run(prefix + "/bin/docent", ["daemon", "stop", "--force"], environment: environment)
                .succeeded()

            // Only the earlier files are left.
            try await installation.run(
                "/bin/bash", [Repository.root + "/Scripts/install.sh", "uninstall"],
                environment: environment.merging(["PREFIX": prefix]) { _, new in new }
            ).succeeded()
            #expect(!FileManager.default.fileExists(atPath: prefix))
        }
    }

    /// The library without a toolchain: it runs with the runtime that came with Docent.
    private static func giveAway(
        _ package: String, _ installation: Installation, _ prefix: String, _ environment: [String: String]
    ) async throws {
        let bundle = installation.root + "/bundle"
        try FileManager.default.copyItem(atPath: package + "/manifests", toPath: bundle)
        try FileManager.default.copyItem(
            atPath: package + "/.build/debug/libPostbox.so", toPath: bundle + "/libPostbox.so")
        try await installation.run(
            "/usr/bin/patchelf", ["--set-rpath", "/nowhere/lib/swift/linux:$ORIGIN", bundle + "/libPostbox.so"],
            environment: environment
        ).succeeded()
        let docent = prefix + "/bin/docent"
        try await installation.run(docent, ["provider", "install", bundle], environment: environment).succeeded()
        let again = try await installation.run(docent, ["cat", "Postbox:/first.txt"], environment: environment)
        #expect(try again.succeeded().text == "A first line\n")
    }

    /// Only the installed Docent and the toolchain are found.
    private static func environment(_ installation: Installation, _ prefix: String) throws -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let toolchain = try #require(
            path.split(separator: ":").map(String.init).first {
                FileManager.default.isExecutableFile(atPath: $0 + "/swift")
            }, "Swift is on PATH")
        var environment = installation.environment
        for name in ["DOCENT_DAEMON", "DOCENT_MANIFEST_PATH", "DOCENT_LIBRARY_PATH"] { environment[name] = nil }
        environment["PATH"] = "\(prefix)/bin:\(toolchain):/usr/local/bin:/usr/bin:/bin"
        environment["XDG_DATA_DIRS"] = prefix + "/share"
        return environment
    }
}
