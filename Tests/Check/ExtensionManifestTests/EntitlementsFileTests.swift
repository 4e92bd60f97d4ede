import Glibc
import Testing

@testable import ExtensionManifest

@Suite struct EntitlementsFileTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    private static let bare = ManifestFixture.fileProvider().setting(ManifestFixture.groups, nil)
    private static let entitlements: PropertyListValue = [
        ManifestFixture.groups: ["$(TeamIdentifierPrefix)group.org.example.Drive"],
        "keychain-access-groups": ["$(AppIdentifierPrefix)org.example.Drive"],
        "com.apple.developer.siri": true,
    ]

    @Test(
        "6: the entitlements file beside a manifest is read as part of it",
        arguments: [
            ("Drive.plist", "Drive.entitlements"), ("Drive-Info.plist", "Drive.entitlements"),
            ("DriveInfo.plist", "Drive.entitlements"), ("Info.plist", "Anything.entitlements"),
            ("org.example.Drive.json", "org.example.Drive.entitlements"),
        ])
    func beside(manifest: String, file: String) throws {
        try fixture.write("manifests/" + file, Self.entitlements)
        let path = try fixture.write("manifests/" + manifest, Self.bare)
        let report = fixture.reader().read(path)
        let read = try #require(report.manifest, "\(report.problems)")
        #expect(read.entitlements.applicationGroups == ["group.org.example.Drive"])
        #expect(read.entitlements.keychainAccessGroups == ["org.example.Drive"])
        #expect(read.entitlementsPath == fixture.manifests + "/" + file)
        #expect(report.problems.contains { $0.severity == .note && $0.message.contains("com.apple.developer.siri") })
        #expect(report.problems.contains { $0.severity == .note && $0.message.contains("/" + file) })
    }

    @Test("6: among several files none is guessed, and another manifest's is not used")
    func ambiguous() throws {
        try fixture.write("manifests/A.entitlements", Self.entitlements)
        try fixture.write("manifests/B.entitlements", Self.entitlements)
        let info = fixture.reader().read(try fixture.write("manifests/Info.plist", Self.bare))
        #expect(info.manifest == nil && info.problems.first?.message.contains("application groups") == true)
        #expect(fixture.reader().read(try fixture.write("manifests/C.plist", Self.bare)).manifest == nil)
    }

    @Test("6: the manifest's own entitlements take precedence, and the difference is reported")
    func both() throws {
        try fixture.write(
            "manifests/Drive.entitlements",
            ["keychain-access-groups": ["org.example.Other"], "com.apple.security.network.client": true])
        let value = ManifestFixture.fileProvider().setting("keychain-access-groups", ["org.example.Drive"])
        let report = fixture.reader().read(try fixture.write("manifests/Drive.plist", value))
        #expect(report.manifest?.entitlements.keychainAccessGroups == ["org.example.Drive"])
        #expect(report.manifest?.entitlements.networkClient == true)
        #expect(report.problems.contains { $0.severity == .warning && $0.key == "keychain-access-groups" })
    }

    @Test(
        "6: a faulty value in the entitlements file is reported there, in a sentence that names the file and the key",
        arguments: Hazard.all.filter { ManifestKey(rawValue: $0.path)?.entry.place == .entitlements })
    func faulty(hazard: Hazard) throws {
        let value = PropertyListValue.dictionary([:]).setting(hazard.path, hazard.value)
        let file = try fixture.write("manifests/Drive.entitlements", value)
        let manifest = ManifestFixture.fileProvider().setting(hazard.path, nil)
        let report = fixture.reader().read(try fixture.write("manifests/Drive.plist", manifest))
        let match = report.problems.first { $0.key == hazard.key && $0.severity == hazard.severity }
        let problem = try #require(match, "\(report.problems)")
        #expect(problem.file == file)
        #expect(problem.message.contains("\"\(file)\"") && hazard.isNamed(in: problem.message), "\(problem.message)")
    }

    @Test("6: a faulty value in the manifest is reported there, whatever the entitlements file has")
    func faultyManifest() throws {
        let key = "com.apple.security.network.client"
        try fixture.write("manifests/Drive.entitlements", PropertyListValue.dictionary([key: true]))
        let value = ManifestFixture.fileProvider().setting(key, "YES")
        let report = fixture.reader().read(try fixture.write("manifests/Drive.plist", value))
        let problem = try #require(report.problems.first { $0.key == key && $0.severity == .error })
        #expect(problem.file == nil && !problem.message.contains("Drive.entitlements"), "\(problem.message)")
    }

    @Test("S3: a consent covers the entitlements file, and a file that others can change is not used")
    func trust() throws {
        let path = try fixture.write("manifests/Drive.plist", ManifestFixture.fileProvider())
        let digest = fixture.scan().providers.first?.digest
        let file = try fixture.write("manifests/Drive.entitlements", ["com.apple.developer.siri": true])
        let with = fixture.scan().providers.first?.digest
        try fixture.write("manifests/Drive.entitlements", ["com.apple.developer.siri": false])
        let changed = fixture.scan().providers.first?.digest
        #expect(digest != nil && with != nil && changed != nil && Set([digest, with, changed]).count == 3)
        chmod(file, 0o666)
        #expect(fixture.reader().read(path).manifest == nil)
    }

    @Test("S3: an entitlements file that is added later is noticed")
    func examined() throws {
        try fixture.write("manifests/Drive.plist", ManifestFixture.fileProvider())
        #expect(fixture.scan().examined.contains(fixture.manifests + "/Drive.entitlements"))
    }

    @Test("6: a broken entitlements file is an error that names it")
    func broken() throws {
        let file = try fixture.write("manifests/Drive.entitlements", Array("<plist><dict>".utf8))
        let report = fixture.reader().read(try fixture.write("manifests/Drive.plist", ManifestFixture.fileProvider()))
        #expect(report.manifest == nil)
        #expect(report.problems.first?.message.contains("Drive.entitlements") == true, "\(report.problems)")
        #expect(report.problems.first?.message.contains("line 1") == true, "\(report.problems)")
        #expect(report.problems.first?.file == file)
    }
}
