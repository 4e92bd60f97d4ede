import Testing

@testable import ExtensionManifest

@Suite struct ProviderBundleTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    private var variables: [String: String] { ["HOME": fixture.root + "/home"] }

    @Test("JSON files that a build leaves beside a library are not taken for manifests")
    func buildFiles() throws {
        try fixture.library("package/.build/debug/libDrive.so")
        for name in ["description.json", "plugin-tools-description.json"] {
            try fixture.write("package/.build/debug/" + name, ["swiftCommands": [:]], .json)
        }
        // Larger than any manifest.
        try fixture.write(
            "package/.build/debug/large.json",
            Array("{\"a\": \"".utf8) + [UInt8](repeating: 0x61, count: 2 << 20) + Array("\"}".utf8))
        try fixture.write("package/manifests/Drive.plist", ManifestFixture.fileProvider())
        let bundle = try ProviderBundle(fixture.root + "/package/.build/debug", variables: variables)
        #expect(bundle.providers.map(\.identifier) == ["org.example.Drive"])
        #expect(bundle.manifests.allSatisfy { $0.manifest != nil }, "\(bundle.manifests.map(\.problems))")
        #expect(bundle.manifests.count == 1)
    }

    @Test("a broken JSON manifest is reported, and not taken for a build's file")
    func brokenManifest() throws {
        try fixture.write("manifests/Drive.json", Array("{\"CFBundleIdentifier\": ".utf8))
        let bundle = try ProviderBundle(fixture.manifests, variables: variables)
        #expect(bundle.manifests.map(\.problems.containsError) == [true])
    }

    @Test("an actions extension beside a provider is noted, and the provider works")
    func actions() throws {
        try fixture.write("manifests/Drive.plist", ManifestFixture.fileProvider())
        let actions = ManifestFixture.fileProvider().setting("CFBundleIdentifier", "org.example.Drive.Actions")
            .setting("NSExtension/NSExtensionPointIdentifier", "com.apple.fileprovider-actionsui")
        try fixture.write("manifests/Actions.plist", actions)
        let bundle = try ProviderBundle(fixture.manifests, variables: variables)
        #expect(bundle.providers.map(\.identifier) == ["org.example.Drive"])
        #expect(bundle.manifests.count == 2)
        #expect(!bundle.manifests.contains { $0.problems.containsError })
    }
}
