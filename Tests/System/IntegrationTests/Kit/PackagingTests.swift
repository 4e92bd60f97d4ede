import DocentTestSupport
import Foundation
import Testing

/// A provider in a Debian package, built with the commands of docs/providers/packaging.md.
@Suite(.needs(.daemon, .processor)) struct PackagingTests {
    @Test(
        "the commands of docs/providers/packaging.md create a .deb, and its provider serves with a private library next to its own"
    )
    func page() async throws {
        try await Installation.with(
            environment: ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""], localFolder: false
        ) { installation in
            var environment = installation.environment
            for name in ["DOCENT_MANIFEST_PATH", "DOCENT_LIBRARY_PATH"] { environment[name] = nil }
            environment["DOCENT_TEMPLATES"] = Repository.root + "/Templates"
            environment["PATH"] = "\(Installation.binaries):/usr/local/bin:/usr/bin:/bin"
            let blocks = try Self.blocks(Repository.root + "/docs/providers/packaging.md")
            try #require(blocks.count == 4, "the page has commands")
            let script = installation.root + "/packaging.sh"
            try Data(("set -euxo pipefail\n" + blocks.joined(separator: "\n")).utf8)
                .write(to: URL(fileURLWithPath: script))
            let outcome = try await Outcome.run(
                "/bin/bash", [script], input: nil, environment: environment, folder: installation.home)
            #expect(outcome.status == 0, "\(outcome.errors)\n\(outcome.text.suffix(4_000))")
            #expect(outcome.text.contains("a provider that was written in C"), "docent cat prints its document")
            let share = installation.home + "/root/usr/share"
            environment["XDG_DATA_DIRS"] = share + ":/usr/local/share:/usr/share"

            // The files that dpkg-deb packaged belong to root, and are in the provider's own directory.
            let deb = installation.home + "/postbox_1.0-1.deb"
            let listed = try await Outcome.run(
                "/usr/bin/dpkg-deb", ["--contents", deb], input: nil, environment: environment,
                folder: installation.home
            ).succeeded().text
            let own = "./usr/lib/docent/providers/org.example.Postbox/"
            #expect(listed.contains(own + "libPostbox.so") && listed.contains(own + "libletters.so.1 ->"))
            #expect(listed.split(separator: "\n").allSatisfy { $0.contains(" root/root ") })

            // Its process has the private library, from the provider's own directory.
            let docent = Installation.binaries + "/docent"
            func run(_ arguments: String...) async throws -> Outcome {
                try await Outcome.run(
                    docent, arguments, input: nil, environment: environment, folder: installation.home)
            }
            struct Status: Decodable {
                struct Extension: Decodable { var processIdentifier: Int32? }
                var extensions: [Extension]
            }
            try await run("ls", "Postbox:/").succeeded()
            let status = try await run("daemon", "status", "--json").succeeded().json(Status.self)
            let process = try #require(status.extensions.lazy.compactMap(\.processIdentifier).first)
            let maps = try await installation.run("/bin/cat", ["/proc/\(process)/maps"]).succeeded().text
            #expect(maps.contains("/org.example.Postbox/libletters.so.1.0"), "\(maps)")

            // Without the library the provider cannot be loaded.
            try FileManager.default.removeItem(
                atPath: installation.home + "/root/usr/lib/docent/providers/org.example.Postbox/libletters.so.1.0")
            try await run("provider", "reset", "Postbox").succeeded()
            let broken = try await run("evict", "Postbox:/Welcome.txt")
            let refused = try await run("ls", "Postbox:/")
            #expect((broken.errors + refused.errors).contains("libletters.so.1"), "\(broken) \(refused)")
        }
    }

    @Test(
        "provider install also installs the private libraries next to the library, and removes them with it")
    func install() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            let build = package.path + "/build"
            let tools = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
            let commands = """
                set -eu
                echo 'int one(void) { return 1; }' >one.c
                cc -shared -fPIC -Wl,-soname,libone.so.1 -o libone.so.1.2 one.c
                ln -s libone.so.1.2 libone.so.1
                cc -shared -fPIC -o libunrelated.so one.c
                patchelf --add-needed libone.so.1 libLocalFolder.so
                """
            try await Outcome.run("/bin/sh", ["-c", commands], input: nil, environment: tools, folder: build)
                .succeeded()
            try installation.write("Hello", to: "hello.txt")
            try await installation.docent("provider", "install", package.path, "--enable", "--yes").succeeded()
            let own = "providers/org.example.Shelf/"
            #expect(
                package.installed() == ProviderInstallTests.files.dropLast() + [
                    own + "libLocalFolder.so", own + "libone.so.1",
                ])
            #expect(try await installation.docent("cat", "Shelf:/hello.txt").succeeded().text == "Hello")
            // The next version needs none.
            try FileManager.default.removeItem(atPath: build + "/libLocalFolder.so")
            try package.write()
            try await installation.docent("provider", "install", package.path).succeeded()
            #expect(package.installed() == ProviderInstallTests.files)
            #expect(try await installation.docent("cat", "Shelf:/hello.txt").succeeded().text == "Hello")
            try await installation.docent("provider", "uninstall", "Shelf").succeeded()
            #expect(package.installed().isEmpty)
        }
    }

    /// The shell blocks of a page, in order.
    private static func blocks(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```\n").first
        }
    }
}
