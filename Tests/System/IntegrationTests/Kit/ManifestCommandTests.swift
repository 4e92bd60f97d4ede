import DocentTestSupport
import Foundation
import Testing

/// The commands' handling of manifests: those of iOS, broken ones, and ones with an entitlements file.
@Suite(.needs(.daemon)) struct ManifestCommandTests {
    private static let info = """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        <key>CFBundleExecutable</key><string>$(EXECUTABLE_NAME)</string><key>CFBundleVersion</key><string>1</string>
        <key>NSExtension</key><dict>
        <key>NSExtensionPointIdentifier</key><string>com.apple.fileprovider-nonui</string>
        <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).Provider</string>
        </dict></dict></plist>
        """

    @Test("6: provider import writes a manifest once, lists what it left out, and asks for missing values")
    func importing() async throws {
        try await Installation.with { installation in
            let info = installation.home + "/Info.plist"
            try Data(Self.info.utf8).write(to: URL(filePath: info))
            let asked = try await installation.docent("provider", "import", info)
            #expect(asked.status == 64 && asked.errors.contains("--identifier"), "\(asked.errors)")
            let arguments = ["provider", "import", info, "--identifier", "org.example.Drive.FileProvider"]
            let docent = Installation.binaries + "/docent"
            let made = try await installation.run(docent, arguments)
            #expect(made.status == 0 && made.text.contains("Left out:\n  CFBundleVersion\n"), "\(made)")
            let manifest = installation.home + "/manifests/org.example.Drive.FileProvider.plist"
            #expect(installation.read(manifest)?.contains("<string>libDrive.so</string>") == true)
            let again = try await installation.run(docent, arguments)
            #expect(again.status == 6 && again.errors.contains("--directory"), "\(again)")
            #expect(installation.daemonProcess == nil, "no daemon was needed")
        }
    }

    @Test("6: provider import --entitlements takes the file that is given, and not the one beside Info.plist")
    func importingEntitlements() async throws {
        try await Installation.with { installation in
            func write(_ name: String, _ text: String) throws {
                try Data(text.utf8).write(to: URL(filePath: installation.home + "/" + name))
            }
            func entitlements(_ group: String) -> String {
                """
                <plist version="1.0"><dict><key>keychain-access-groups</key>
                <array><string>\(group)</string></array></dict></plist>
                """
            }
            try write("Info.plist", Self.info)
            try write("Drive.entitlements", entitlements("org.example.Beside"))
            try write("Own.plist", entitlements("org.example.Given"))
            let arguments = [
                "provider", "import", "Info.plist", "--identifier", "org.example.Drive.FileProvider", "--entitlements",
            ]
            let docent = Installation.binaries + "/docent"
            // A relative path, as it is typed.
            let made = try await installation.run(docent, arguments + ["Own.plist"])
            #expect(made.status == 0 && made.text.contains("Entitlements are from Own.plist.\n"), "\(made)")
            let manifest = installation.read(installation.home + "/manifests/org.example.Drive.FileProvider.plist")
            #expect(manifest?.contains("<string>org.example.Given</string>") == true)
            #expect(manifest?.contains("org.example.Beside") == false)
            try write("Own.plist", entitlements("../etc"))
            let refused = try await installation.run(docent, arguments + ["Own.plist", "--directory", "other"])
            #expect(refused.status == 64 && refused.errors.contains("\"Own.plist\": keychain-access"), "\(refused)")
            let missing = try await installation.run(docent, arguments + ["None.plist", "--directory", "other"])
            #expect(missing.status == 64 && missing.errors.contains("None.plist"), "\(missing)")
        }
    }

    @Test(
        "A3: a broken manifest is listed in the JSON of all providers, and its provider is reported as broken, not as unreachable"
    )
    func broken() async throws {
        try await Installation.with { installation in
            let good = try #require(
                installation.read(installation.manifests + "/org.docent.LocalFolder.FileProvider.plist"))
            let text = good.replacingOccurrences(of: "org.docent.LocalFolder", with: "org.example.Broken")
                .replacingOccurrences(of: "libLocalFolder.so", with: "libNone.so")
            let path = installation.manifests + "/broken.plist"
            try Data(text.utf8).write(to: URL(filePath: path))
            struct Record: Decodable {
                struct Problem: Decodable {
                    var severity: String
                    var message: String
                }
                var identifier: String?
                var state: String
                var manifest: String?
                var problems: [Problem]?
            }
            let all = try await installation.docent("providers", "--all", "--json").succeeded().json([Record].self)
            let record = try #require(all.first { $0.state == "broken" })
            #expect(record.identifier == "org.example.Broken" && record.manifest == path)
            #expect(record.problems?.first?.message.contains("CFBundleExecutable") == true)
            let shown = try await installation.docent("provider", "show", "org.example.Broken")
            #expect(shown.status == 1 && shown.errors.contains(path), "\(shown)")
            #expect(shown.errors.contains("CFBundleExecutable"), "\(shown.errors)")
        }
    }

    @Test(
        "an entitlements file is installed with its manifest, and a change of it changes the requested permissions"
    )
    func entitlements() async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            try package.write()
            let file = package.path + "/manifests/FileProvider.entitlements"
            func write(_ entitlement: String) throws {
                let text = "<plist version=\"1.0\"><dict><key>\(entitlement)</key><true/></dict></plist>"
                try Data(text.utf8).write(to: URL(filePath: file))
            }
            try write("com.apple.developer.siri")
            try await installation.docent("provider", "install", package.path, "--enable", "--yes").succeeded()
            #expect(package.installed().contains("manifests/org.example.Shelf.FileProvider.entitlements"))
            try write("com.apple.security.network.client")
            try await installation.docent("provider", "install", package.path).succeeded()
            let shown = try await installation.docent("provider", "show", "Shelf").succeeded().text
            #expect(shown.contains("changed") && shown.contains("connects to the network"), "\(shown)")
            try await installation.docent("provider", "uninstall", "Shelf").succeeded()
            #expect(package.installed().isEmpty)
        }
    }
}
