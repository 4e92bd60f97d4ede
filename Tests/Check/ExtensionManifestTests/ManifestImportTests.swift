import Testing

@testable import ExtensionManifest

@Suite struct ManifestImportTests {
    /// As in Xcode's template for a document provider.
    private static let info: PropertyListValue = [
        "CFBundleDevelopmentRegion": "en", "CFBundleDisplayName": "$(DISPLAY_NAME)", "CFBundleName": "$(PRODUCT_NAME)",
        "CFBundleExecutable": "$(EXECUTABLE_NAME)", "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
        "CFBundleInfoDictionaryVersion": "6.0", "CFBundlePackageType": "XPC!", "CFBundleShortVersionString": "1.0",
        "CFBundleVersion": "1",
        "NSExtension": [
            "NSExtensionFileProviderDocumentGroup": "$(GROUP)",
            "NSExtensionFileProviderSupportsEnumeration": true,
            "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).FileProvider",
        ],
        "UTExportedTypeDeclarations": [
            ["UTTypeIdentifier": "org.example.note", "UTTypeConformsTo": "public.data", "UTTypeIconFiles": []]
        ],
    ]

    private static let entitlements: PropertyListValue = [
        "com.apple.security.application-groups": ["group.org.example.Drive"],
        "keychain-access-groups": ["$(AppIdentifierPrefix)org.example.Drive", "$(AppIdentifierPrefix)*"],
        "com.apple.developer.siri": true,
    ]

    private static func options(_ change: (inout ManifestImport.Options) -> Void = { _ in }) -> ManifestImport.Options {
        var options = ManifestImport.Options()
        options.identifier = "org.example.Drive.FileProvider"
        options.library = "libMyDrive.so"
        options.variables = ["GROUP": "group.org.example.Drive"]
        change(&options)
        return options
    }

    private static func made(
        _ info: PropertyListValue = info, _ options: ManifestImport.Options = options()
    ) throws -> ManifestImport {
        try ManifestImport(
            info.dictionaryValue ?? [:], entitlements: entitlements.dictionaryValue ?? [:], options)
    }

    @Test("6: the files of an iOS extension become a valid manifest")
    func usable() throws {
        let fixture = try ManifestFixture()
        try fixture.library("manifests/libMyDrive.so")
        let made = try Self.made()
        let text = PropertyListText.xml(.dictionary(made.contents))
        #expect(try PropertyListReader.read(Array(text.utf8)) == .dictionary(made.contents))
        let path = try fixture.write("manifests/made.plist", Array(text.utf8))
        let report = fixture.reader().read(path)
        let manifest = try #require(report.manifest, "\(report.problems)")
        #expect(report.problems.isEmpty, "\(report.problems)")
        #expect(manifest.bundleIdentifier == "org.example.Drive.FileProvider")
        #expect(manifest.principalClass == "MyDrive.FileProvider")
        #expect(manifest.displayName == "MyDrive")
        #expect(manifest.documentGroup == "group.org.example.Drive")
        #expect(manifest.entitlements.keychainAccessGroups == ["org.example.Drive"])
        #expect(manifest.entitlements.networkClient)
        #expect(manifest.exportedTypes.map(\.identifier) == ["org.example.note"])
    }

    @Test("6: everything that was changed, added or left out is reported")
    func told() throws {
        let made = try Self.made()
        #expect(
            made.leftOut == [
                "CFBundleDevelopmentRegion", "CFBundleDisplayName ($(DISPLAY_NAME) is not known)",
                "CFBundleInfoDictionaryVersion", "CFBundlePackageType", "CFBundleVersion",
                "NSExtension.NSExtensionFileProviderSupportsEnumeration",
                "UTExportedTypeDeclarations[0].UTTypeIconFiles",
                "com.apple.developer.siri (entitlement)", "keychain-access-groups: the wildcard \"*\"",
            ])
        #expect(made.changes.count == 3, "\(made.changes)")
        for word in ["CFBundleIdentifier", "libMyDrive.so", "com.apple.security.network.client"] {
            #expect(made.changes.contains { $0.contains(word) }, "\(word)")
        }
        // Every key of the files is either kept or mentioned.
        for key in (Self.info.dictionaryValue ?? [:]).keys {
            #expect(made.contents[key] != nil || made.leftOut.contains { $0.hasPrefix(key) }, "\(key)")
        }
    }

    @Test("6: the library is named after the manifest that is written")
    func library() throws {
        let plain = Self.info.setting("CFBundleExecutable", "My Drive")
        let made = try Self.made(plain, Self.options { $0.library = nil })
        #expect(made.contents["CFBundleExecutable"] == "libMy_Drive.so")
        #expect(
            try Self.made(Self.info, Self.options { $0.library = nil }).contents["CFBundleExecutable"] == "libDrive.so")
        let named = Self.info.setting("NSExtension/NSExtensionPrincipalClass", "Cloud.FileProvider")
        #expect(
            try Self.made(named, Self.options { $0.library = nil }).contents["CFBundleExecutable"] == "libCloud.so")
    }

    @Test("A6: a picker keeps its modes, and gets the standard browser instead of its own storyboard")
    func picker() throws {
        let info = ManifestFixture.picker().setting("NSExtension/NSExtensionMainStoryboard", "Fancy")
        let made = try Self.made(info)
        let part = try #require(made.contents["NSExtension"])
        #expect(part["NSExtensionMainStoryboard"] == "MainInterface")
        #expect(part["NSExtensionAttributes"]?["UIDocumentPickerModes"]?.arrayValue?.count == 4)
        #expect(made.changes.contains { $0.contains("Fancy") })
        #expect(made.contents["com.apple.security.network.client"] == nil)
    }

    @Test(
        "6: a missing value is reported with the option that supplies it",
        arguments: [
            ("identifier", "--identifier"), ("both", "--library"), ("actions", "extension with"),
            ("app", "Info.plist"),
        ])
    func refused(what: String, remedy: String) {
        var info = Self.info
        let options = Self.options { options in
            if ["identifier", "both"].contains(what) { options.identifier = nil }
            if what == "both" { options.library = nil }
        }
        if what == "actions" {
            info = info.setting("NSExtension/NSExtensionPointIdentifier", "com.apple.fileprovider-actionsui")
        }
        if what == "app" { info = info.setting("NSExtension", nil) }
        let failure = #expect(throws: ManifestImport.Failure.self) { try Self.made(info, options) }
        #expect(failure?.remedy.contains(remedy) == true, "\(String(describing: failure))")
    }

    @Test("6: a file of entitlements that is given replaces the one beside the manifest, and is named if it is wrong")
    func given() throws {
        let fixture = try ManifestFixture()
        let path = try fixture.write("ios/Info.plist", Self.info)
        try fixture.write("ios/Drive.entitlements", Self.entitlements)
        let file = try fixture.write(
            "elsewhere/Own.plist",
            ["keychain-access-groups": ["org.example.Other"], "org.docent.spawn": ["rclone"]])
        let made = try ManifestImport(info: path, entitlements: file, Self.options())
        #expect(made.entitlementsPath == file)
        #expect(made.contents["keychain-access-groups"] == ["org.example.Other"])
        #expect(!made.leftOut.contains { $0.contains("siri") }, "\(made.leftOut)")
        let problems = made.problems(at: fixture.manifests + "/x.plist", fixture.environment())
        #expect(problems.map(\.key) == ["org.docent.spawn[0]"], "\(problems)")
        #expect(problems.first?.file == file)
        #expect(problems.first?.message.contains("\"\(file)\"") == true, "\(problems)")
        let failure = #expect(throws: ManifestImport.Failure.self) {
            try ManifestImport(info: path, entitlements: fixture.root + "/none.plist", Self.options())
        }
        #expect(failure?.message.contains("none.plist") == true)
    }

    @Test("6: the files are read where they are, with the entitlements beside them")
    func files() throws {
        let fixture = try ManifestFixture()
        let path = try fixture.write("ios/Info.plist", Self.info)
        try fixture.write("ios/Drive.entitlements", Self.entitlements)
        let made = try ManifestImport(info: path, entitlements: nil, Self.options())
        #expect(made.entitlementsPath == fixture.root + "/ios/Drive.entitlements")
        #expect(made.contents["keychain-access-groups"] == ["org.example.Drive"])
        #expect(made.problems(at: fixture.manifests + "/x.plist", fixture.environment()).isEmpty)
        let failure = #expect(throws: ManifestImport.Failure.self) {
            try ManifestImport(info: fixture.root + "/none.plist", entitlements: nil, Self.options())
        }
        #expect(failure?.message.contains("none.plist") == true)
    }
}
