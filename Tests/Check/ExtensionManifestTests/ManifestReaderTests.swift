import Foundation
import Testing
import UniformTypes

@testable import ExtensionManifest

@Suite struct ManifestReaderTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    @Test("A8: a file provider's manifest is read in every format", arguments: PropertyListReader.Format.allCases)
    func fileProvider(format: PropertyListReader.Format) throws {
        let report = try fixture.read(ManifestFixture.fileProvider().setting("Unknown", ["kept": 1]), format)
        let manifest = try #require(report.manifest, "\(report.problems)")
        #expect(report.problems.isEmpty)
        #expect(manifest.point == .fileProvider)
        #expect(manifest.bundleIdentifier == "org.example.Drive.FileProvider")
        #expect(manifest.containingIdentifier == "org.example.Drive")
        #expect(manifest.principalClass == "Drive.Provider")
        #expect(manifest.documentGroup == "group.org.example.Drive")
        #expect(manifest.libraryPath == fixture.manifests + "/libDrive.so")
        #expect(manifest.version == "1.2")
        #expect(manifest.entitlements.applicationGroups == ["group.org.example.Drive"])
        #expect(manifest.contents["Unknown"] == ["kept": 1])
    }

    @Test("A3, A4, A7: a picker's manifest is read")
    func picker() throws {
        let manifest = try #require(try fixture.read(ManifestFixture.picker()).manifest)
        #expect(manifest.modes == [.import, .open, .exportToService, .moveToService])
        #expect(manifest.supportedTypes == ["public.content"])
        #expect(manifest.mainStoryboard == "MainInterface")
        #expect(manifest.principalClass == nil)
    }

    @Test(
        "6: principal classes are written in three ways",
        arguments: [
            ("$(PRODUCT_MODULE_NAME).Provider", "libDrive.so", "Drive.Provider"),
            ("${PRODUCT_MODULE_NAME}.Provider", "libDrive.so", "Drive.Provider"),
            ("Module.Provider", "libDrive.so", "Module.Provider"),
            ("Provider", "libDrive.so", "Drive.Provider"),
            ("Provider", "libMy-Drive.so.1.2", "My_Drive.Provider"),
            ("Provider", "sub/Plain.so", "Plain.Provider"),
        ])
    func principalClass(written: String, library: String, expected: String) throws {
        try fixture.library("manifests/" + library)
        let value = ManifestFixture.fileProvider().setting("NSExtension/NSExtensionPrincipalClass", .string(written))
            .setting("CFBundleExecutable", .string(library))
        let report = try fixture.read(value)
        #expect(report.manifest?.principalClass == expected, "\(report.problems)")
    }

    @Test("6: the few variables that the manifest itself determines are expanded")
    func variables() throws {
        let value = ManifestFixture.fileProvider()
            .setting("NSExtension/NSExtensionFileProviderDocumentGroup", "group.$(PRODUCT_BUNDLE_IDENTIFIER)")
            .setting(ManifestFixture.groups, ["group.${PRODUCT_BUNDLE_IDENTIFIER}"])
            .setting("CFBundleDisplayName", "My $(PRODUCT_NAME:lower)")
        let manifest = try #require(try fixture.read(value).manifest)
        #expect(manifest.documentGroup == "group.org.example.Drive.FileProvider")
        #expect(manifest.displayName == "My drive")
    }

    @Test("6: build variables are expanded in every key that is read, including the identifier and the document group")
    func variablesEverywhere() throws {
        try fixture.library("manifests/libMy-Drive.so")
        let value = ManifestFixture.fileProvider()
            .setting("CFBundleIdentifier", "org.example.$(PRODUCT_NAME:rfc1034identifier).FileProvider")
            .setting("CFBundleExecutable", "libMy-Drive.so")
            .setting(
                "NSExtension/NSExtensionFileProviderDocumentGroup",
                "$(AppIdentifierPrefix)group.$(PRODUCT_BUNDLE_IDENTIFIER)"
            )
            .setting(ManifestFixture.groups, ["$(TeamIdentifierPrefix)group.${PRODUCT_BUNDLE_IDENTIFIER}"])
            .setting("keychain-access-groups", ["$(AppIdentifierPrefix)$(PRODUCT_BUNDLE_IDENTIFIER)"])
            .setting(ManifestFixture.homeRead, ["$(PRODUCT_NAME)"])
            .setting(
                "UTExportedTypeDeclarations",
                [["UTTypeIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER).note", "UTTypeConformsTo": "public.data"]])
        let report = try fixture.read(value)
        let manifest = try #require(report.manifest, "\(report.problems)")
        let identifier = "org.example.My-Drive.FileProvider"
        #expect(manifest.bundleIdentifier == identifier)
        #expect(manifest.documentGroup == "group." + identifier)
        #expect(manifest.entitlements.applicationGroups == ["group." + identifier])
        #expect(manifest.entitlements.keychainAccessGroups == [identifier])
        #expect(manifest.entitlements.homeReadOnly == ["My-Drive"])
        #expect(manifest.exportedTypes.map(\.identifier) == [identifier + ".note"])
        #expect(manifest.principalClass == "Drive.Provider")
    }

    @Test("6: a name with an unknown build variable gives way to the next name, with a warning")
    func cosmeticVariables() throws {
        let value = ManifestFixture.fileProvider().setting("CFBundleDisplayName", "$(APP_NAME)")
            .setting("CFBundleName", "Plain").setting("CFBundleShortVersionString", "$(MARKETING_VERSION)")
        let report = try fixture.read(value)
        #expect(report.manifest?.displayName == "Plain")
        #expect(report.manifest?.version == nil)
        #expect(report.problems.map(\.severity) == [.warning, .warning], "\(report.problems)")
    }

    @Test("7.2: a declaration of a type that Apple reserves counts if Docent does not know the type; else it is noted")
    func reservedTypes() throws {
        let value = ManifestFixture.fileProvider()
            .setting(
                "UTImportedTypeDeclarations",
                [
                    ["UTTypeIdentifier": "com.apple.nobody-knows-this", "UTTypeConformsTo": "public.image"],
                    ["UTTypeIdentifier": "com.adobe.pdf", "UTTypeConformsTo": "public.image"],
                ])
        let report = try fixture.read(value)
        let manifest = try #require(report.manifest, "\(report.problems)")
        #expect(report.problems.map(\.severity) == [.note, .note], "\(report.problems)")
        #expect(report.problems.first?.message.contains("it is what is declared here") == true)
        #expect(report.problems.last?.message.contains("knows") == true)
        let types = manifest.importedTypes.map {
            UniformTypeDeclaration(identifier: $0.identifier, conformsTo: $0.conformsTo, tags: [:], origin: .imported)
        }
        let registry = UniformTypeRegistry().adding(imported: types)
        let unknown = try #require(UniformType("com.apple.nobody-knows-this"))
        let known = try #require(UniformType("com.adobe.pdf"))
        let image = try #require(UniformType("public.image"))
        #expect(registry.conforms(unknown, to: image))
        #expect(!registry.conforms(known, to: image))
    }

    @Test("6: a manifest as Xcode writes it gets a hint if it lacks the network entitlement")
    func network() throws {
        let value = ManifestFixture.fileProvider().setting("CFBundlePackageType", "XPC!")
        let problems = try fixture.read(value).problems
        #expect(problems.map(\.key) == ["com.apple.security.network.client"])
        #expect(problems.map(\.severity) == [.note])
        #expect(try fixture.read(ManifestFixture.fileProvider()).problems.isEmpty)
        let asked = value.setting("com.apple.security.network.client", false)
        #expect(try fixture.read(asked).problems.isEmpty)
    }

    @Test("6: nineteen thousand types are read in a moment, and thousands of problems are not all listed")
    func manyTypes() throws {
        let key = "NSExtension/NSExtensionAttributes/UIDocumentPickerSupportedFileTypes"
        func processorTime(reading count: Int) throws -> Double {
            let types = (0..<count).map { PropertyListValue.string("org.example.type-\($0)") }
            let manifest = ManifestFixture.picker().setting(key, .array(types))
            let started = clock()
            #expect(try fixture.read(manifest).manifest?.supportedTypes.count == count)
            return Double(clock() - started)
        }
        // Ten times as many take about ten times as long; comparing each with each would take a hundred times as long.
        #expect(try processorTime(reading: 19_000) < 40 * processorTime(reading: 1_900))
        let wrong = (0..<1_000).map { PropertyListValue.string("text/\($0)") }
        let problems = try fixture.read(ManifestFixture.picker().setting(key, .array(wrong))).problems
        #expect(problems.count == 201 && problems.containsError)
        #expect(problems.last?.message == "There are 800 further problems.")
    }

    @Test("entitlements are read by Apple's names")
    func entitlements() throws {
        let value = ManifestFixture.fileProvider()
            .setting("keychain-access-groups", ["$(AppIdentifierPrefix)org.example.Drive"])
            .setting("com.apple.security.network.client", true)
            .setting(ManifestFixture.homeWrite, ["/Documents/", "Documents", "Pictures//Raw"])
            .setting(ManifestFixture.homeRead, "Music")
            .setting(ManifestFixture.absoluteWrite, ["/srv/files/"])
            .setting(ManifestFixture.absoluteRead, ["/media"])
            .setting("org.docent.spawn", ["/usr/bin/rclone"])
            .setting("org.docent.loopback-listener", true)
        let entitlements = try #require(try fixture.read(value).manifest).entitlements
        #expect(entitlements.keychainAccessGroups == ["org.example.Drive"])
        #expect(entitlements.networkClient)
        #expect(entitlements.homeReadWrite == ["Documents", "Pictures/Raw"])
        #expect(entitlements.homeReadOnly == ["Music"])
        #expect(entitlements.absoluteReadWrite == ["/srv/files"])
        #expect(entitlements.absoluteReadOnly == ["/media"])
        #expect(entitlements.spawn == ["/usr/bin/rclone"])
        #expect(entitlements.loopbackListener)
        #expect(entitlements.lines.count == 10)
    }

    @Test("6: odd type declarations are reported, and their usable parts are kept")
    func declarations() throws {
        let value = ManifestFixture.fileProvider().setting(
            "UTExportedTypeDeclarations",
            [
                [
                    "UTTypeIdentifier": "org.example.note", "UTTypeConformsTo": ["public.data", "org.example.note"],
                    "UTTypeTagSpecification": [
                        "public.filename-extension": "note", "public.mime-type": ["a/b", "c/d"],
                    ],
                ],
                ["UTTypeIdentifier": "org.example.zero\u{200B}width", "UTTypeConformsTo": "public.data"],
                [:],
                ["UTTypeIdentifier": "ORG.example.note", "UTTypeConformsTo": ["public.text"]],
                ["UTTypeIdentifier": "public.text"],
                ["UTTypeConformsTo": "public.data"],
            ])
        let report = try fixture.read(value)
        let manifest = try #require(report.manifest, "\(report.problems)")
        #expect(
            manifest.exportedTypes.map(\.identifier) == [
                "org.example.note", "org.example.zerowidth", "ORG.example.note", "public.text",
            ])
        #expect(manifest.exportedTypes[0].conformsTo == ["public.data"])
        #expect(
            manifest.exportedTypes[0].tags == [
                "public.filename-extension": ["note"], "public.mime-type": ["a/b", "c/d"],
            ])
        let key = "UTExportedTypeDeclarations"
        let expected = [
            ("\(key)[0].UTTypeConformsTo[1]", "itself"), ("\(key)[1].UTTypeIdentifier", "invisible"),
            ("\(key)[2]", "empty"), ("\(key)[3].UTTypeIdentifier", "other parents"),
            ("\(key)[4].UTTypeIdentifier", "knows"), ("\(key)[5].UTTypeIdentifier", "no identifier"),
        ]
        for (path, word) in expected {
            #expect(report.problems.contains { $0.key == path && $0.message.contains(word) }, "\(path)")
        }
        #expect(report.problems.count == expected.count)
    }

    @Test(
        "6: a type's description with an unknown build variable, or of another kind, is left out with a warning",
        arguments: ["$(TYPE_NAME)", 7] as [PropertyListValue])
    func typeDescription(written: PropertyListValue) throws {
        func read(_ description: PropertyListValue) throws -> ManifestReport {
            let type: PropertyListValue = [
                "UTTypeIdentifier": "org.example.note", "UTTypeConformsTo": "public.data",
                "UTTypeDescription": description,
            ]
            return try fixture.read(ManifestFixture.fileProvider().setting("UTImportedTypeDeclarations", [type]))
        }
        let report = try read(written)
        let types = try #require(report.manifest?.importedTypes, "\(report.problems)")
        #expect(types.map(\.identifier) == ["org.example.note"])
        #expect(types.map(\.description) == [nil])
        #expect(report.problems.map(\.key) == ["UTImportedTypeDeclarations[0].UTTypeDescription"])
        #expect(report.problems.map(\.severity) == [.warning])
        let known = try read("Note of $(PRODUCT_NAME)")
        #expect(known.manifest?.importedTypes.map(\.description) == ["Note of Drive"])
        #expect(known.problems.isEmpty, "\(known.problems)")
    }

    @Test("3.8: an actions extension is recognised and ignored without an error")
    func actions() throws {
        let report = try fixture.read(
            ManifestFixture.fileProvider().setting(
                "NSExtension/NSExtensionPointIdentifier", "com.apple.fileprovider-actionsui"))
        #expect(report.manifest == nil)
        #expect(report.problems.map(\.severity) == [.note])
    }

    @Test("6: all problems of a manifest are reported at once")
    func allProblems() throws {
        let value = ManifestFixture.picker()
            .setting("NSExtension/NSExtensionAttributes/UIDocumentPickerModes", ["UIDocumentPickerModeOpn", 4])
            .setting("CFBundleIdentifier", nil).setting("CFBundleExecutable", "../libDrive.so")
            .setting("NSExtension/NSExtensionMainStoryboard", nil)
        let keys = try fixture.read(value).problems.filter { $0.severity == .error }.map(\.key)
        #expect(
            Set(keys) == [
                "CFBundleIdentifier", "CFBundleExecutable", "NSExtension.NSExtensionMainStoryboard",
                "NSExtension.NSExtensionAttributes.UIDocumentPickerModes[0]",
                "NSExtension.NSExtensionAttributes.UIDocumentPickerModes[1]",
            ])
    }

    @Test("S1: a problem shown on a terminal contains no control characters")
    func escapedProblems() throws {
        let value = ManifestFixture.fileProvider().setting("CFBundleIdentifier", "a\u{1B}[31m\nb\u{202E}\u{0}")
            .setting("bad\nkey", 1).setting("CFBundleDisplayName", "x\u{202E}y")
        for problem in try fixture.read(value).problems {
            for text in [problem.key, problem.found, problem.expected, problem.remedy, problem.message] {
                #expect(!DisplayText.isDeceptive(text))
            }
        }
    }

    @Test("the manifests of LocalFolder have no problems")
    func bundled() throws {
        try fixture.library("manifests/libLocalFolder.so")
        let source = DocumentationFile.root.appendingPathComponent("manifests")
        for name in ["FileProvider", "Picker"] {
            let file = "org.docent.LocalFolder.\(name).plist"
            try fixture.write("manifests/" + file, Array(Data(contentsOf: source.appendingPathComponent(file))))
        }
        let result = fixture.scan()
        #expect(result.broken.isEmpty)
        let provider = try #require(result.providers.first { $0.locationName == "LocalFolder" })
        #expect(provider.identifier == "org.docent.LocalFolder")
        #expect(provider.problems.isEmpty)
        #expect(provider.modes.count == 4)
        #expect(provider.fileProvider?.entitlements.homeReadWrite == ["Documents"])
    }
}
