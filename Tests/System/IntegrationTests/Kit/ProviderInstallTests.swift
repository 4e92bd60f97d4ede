import DocentTestSupport
import Foundation
import Testing

@Suite(.needs(.daemon, .processor)) struct ProviderInstallTests {
    static let files = [
        "installed/org.example.Shelf.json", "manifests/org.example.Shelf.FileProvider.plist",
        "manifests/org.example.Shelf.Picker.plist", "providers/org.example.Shelf/libLocalFolder.so",
    ]

    private struct Installed: Decodable {
        var provider: String
        var updated: Bool
        var files: [String]
        var enabled: Bool?
        var state: String?
    }

    @Test(
        "one command installs a provider, disabled; enabled it serves; uninstalling leaves only its documents"
    )
    func whole() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            try installation.write("Hello", to: "hello.txt")
            let first = try await installation.docent("provider", "install", package.path).succeeded().text
            #expect(first.contains("org.example.Shelf is installed."))
            #expect(first.contains("docent provider enable org.example.Shelf"))
            #expect(package.installed() == Self.files)
            #expect(try await installation.docent("providers", "--all").succeeded().text.contains("disabled"))
            #expect(try await installation.docent("ls", "Shelf:/").status == 3, "installing does not enable (A14)")
            try await installation.docent("provider", "enable", "Shelf", "--yes").succeeded()
            #expect(try await installation.docent("cat", "Shelf:/hello.txt").succeeded().text == "Hello")

            let removed = try await installation.docent("provider", "uninstall", "shelf").succeeded().text
            #expect(removed.contains("org.example.Shelf is uninstalled."))
            #expect(package.installed().isEmpty)
            #expect(installation.read(installation.documents + "/hello.txt") == "Hello")
            #expect(try await installation.docent("providers", "--all").succeeded().text.contains("Shelf") == false)
            #expect(try await installation.docent("provider", "uninstall", "Shelf").status == 2)

            // The same again: consent ended with the uninstallation.
            try await installation.docent("provider", "install", package.path).succeeded()
            #expect(try await installation.docent("ls", "Shelf:/").status == 3)
        }
    }

    @Test("an update replaces the running provider; if the manifests differ it is disabled until it is enabled again")
    func update() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            let library = package.path + "/build/libLocalFolder.so"
            let enabled = try await installation.docent(
                "provider", "install", library, "--enable", "--yes", "--json"
            ).succeeded().json(Installed.self)
            #expect(enabled.enabled == true && enabled.state == "ready" && !enabled.updated)
            #expect(Set(enabled.files) == Set(package.manifests + [package.library]))
            try await installation.docent("ls", "Shelf:/").succeeded()
            let before = try await Self.process(installation)

            let same = try await installation.docent("provider", "install", package.path, "--json").succeeded()
                .json(Installed.self)
            #expect(same.updated && same.state == "ready")
            try await installation.docent("ls", "Shelf:/").succeeded()
            let after = try await Self.process(installation)
            #expect(after != before, "a process with the old library no longer serves")

            try package.write(displayName: "Another Shelf")
            let changed = try await installation.docent("provider", "install", package.path).succeeded().text
            #expect(changed.contains("is updated") && changed.contains("docent provider enable org.example.Shelf"))
            #expect(try await installation.docent("ls", "Shelf:/").status == 3)
            let asked = try await installation.docent("provider", "install", package.path, "--enable")
            #expect(asked.status == 64 && asked.errors.contains("Documents"), "the requested permissions are printed")
            try await installation.docent("provider", "install", package.path, "--enable", "--yes").succeeded()
            try await installation.docent("ls", "Shelf:/").succeeded()

            // A manifest that the new version does not have is removed.
            try FileManager.default.removeItem(atPath: package.path + "/manifests/Picker.plist")
            try await installation.docent("provider", "install", package.path).succeeded()
            #expect(package.installed() == Self.files.filter { !$0.contains("Picker") })
        }
    }

    @Test("an invalid provider is reported, and nothing is installed")
    func refused() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            let (files, build) = (FileManager.default, package.path + "/build/libLocalFolder.so")
            func refuses(_ status: Int32, _ words: String...) async throws {
                let outcome = try await installation.docent("provider", "install", package.path)
                #expect(outcome.status == status, "\(outcome.errors)")
                for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
                #expect(package.installed().isEmpty && outcome.output.isEmpty)
            }
            try Data("not a library".utf8).write(to: URL(fileURLWithPath: build))
            try await refuses(64, "ELF")
            try files.removeItem(atPath: build)
            try await refuses(64, "libLocalFolder.so", "Build it first")
            try files.copyItem(atPath: Installation.binaries + "/docent", toPath: build)
            try await refuses(64, "is not a provider's library")
            try files.removeItem(atPath: build)
            try package.write()
            let picker = package.path + "/manifests/Picker.plist"
            let original = try Data(contentsOf: URL(fileURLWithPath: picker))
            try Data("<plist><dict>".utf8).write(to: URL(fileURLWithPath: picker))
            try await refuses(64, "Picker.plist")
            let foreign = String(decoding: original, as: UTF8.self)
                .replacingOccurrences(of: "org.example.Shelf.Picker", with: "org.example.Other.Picker")
            try Data(foreign.utf8).write(to: URL(fileURLWithPath: picker))
            try await refuses(64, "org.example.Other", "org.example.Shelf")
            try files.removeItem(atPath: package.path + "/manifests")
            try await refuses(2, "manifest")
        }
    }

    @Test("files of another provider, the system or the user are not replaced")
    func others() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            let manifests = package.data + "/manifests"
            try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
            // Placed manually: the library of that name, then a manifest of the same provider.
            try FileManager.default.createDirectory(
                atPath: package.data + "/providers/org.example.Shelf", withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: package.library))
            #expect(try await installation.docent("provider", "install", package.path).status == 6)
            #expect(installation.read(package.library) == "mine")
            try FileManager.default.removeItem(atPath: package.library)
            try FileManager.default.copyItem(
                atPath: package.path + "/manifests/FileProvider.plist", toPath: manifests + "/mine.plist")
            let byHand = try await installation.docent("provider", "install", package.path)
            #expect(byHand.status == 6 && byHand.errors.contains("mine.plist"))
            try FileManager.default.removeItem(atPath: manifests + "/mine.plist")

            try await installation.docent("provider", "install", package.path).succeeded()
            // Another provider with a library of the same name has its own directory.
            let other = ProviderPackage(installation: installation, identifier: "org.example.Other", folder: "other")
            try other.write()
            try await installation.docent("provider", "install", other.path).succeeded()
            #expect(
                Set(package.installed()).isSuperset(of: Self.files + ["providers/org.example.Other/libLocalFolder.so"]))
            try await installation.docent("provider", "uninstall", "org.example.Other").succeeded()
            #expect(package.installed() == Self.files)

            // A modified file is kept, and named.
            try Data("changed".utf8).write(to: URL(fileURLWithPath: package.manifests[1]))
            let removed = try await installation.docent("provider", "uninstall", "org.example.Shelf").succeeded().text
            #expect(removed.contains(package.manifests[1]))
            #expect(package.installed() == ["manifests/org.example.Shelf.Picker.plist"])

            try FileManager.default.removeItem(atPath: package.manifests[1])

            // A library that every system has.
            let share = installation.root + "/share"
            try FileManager.default.createDirectory(
                atPath: share + "/docent/manifests", withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: package.path + "/manifests/FileProvider.plist",
                toPath: share + "/docent/manifests/system.plist")
            try other.write(libraryName: "libLocalFolder.so")
            let shared = ProviderPackage(installation: installation, identifier: "org.example.Shelf", folder: "shared")
            try shared.write()
            let system = try await installation.run(
                Installation.binaries + "/docent", ["provider", "install", shared.path],
                environment: ["XDG_DATA_DIRS": share])
            #expect(system.status == 3 && system.errors.contains("system.plist"), "\(system.errors)")
        }
    }

    private struct Status: Decodable {
        struct Extension: Decodable {
            var provider: String
            var processIdentifier: Int32?
        }
        var extensions: [Extension]
    }

    private static func process(_ installation: Installation) async throws -> Int32 {
        let status = try await installation.docent("daemon", "status", "--json").succeeded().json(Status.self)
        let found = status.extensions.first { $0.provider == "org.example.Shelf" && $0.processIdentifier != nil }
        return try #require(found?.processIdentifier)
    }
}
