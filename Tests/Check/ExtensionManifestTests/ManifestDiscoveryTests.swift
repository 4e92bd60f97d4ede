import Foundation
import Glibc
import Synchronization
import Testing

@testable import ExtensionManifest

@Suite struct ManifestDiscoveryTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    /// The administrator's directory with its library.
    private func installForSystem(_ manifests: [String: PropertyListValue], prefix: String = "usr") throws {
        try fixture.library("\(prefix)/lib/docent/providers/libDrive.so")
        for (name, value) in manifests { try fixture.write("\(prefix)/share/docent/manifests/\(name)", value) }
    }

    private func installForUser(_ manifests: [String: PropertyListValue]) throws {
        try fixture.library("home/.local/share/docent/providers/libDrive.so")
        for (name, value) in manifests { try fixture.write("home/.local/share/docent/manifests/\(name)", value) }
    }

    /// Root owns everything below `usr`.
    private func systemInspector() -> FileInspector {
        let root = fixture.root
        return fixture.inspector { path, facts in
            if path == root || path.hasPrefix(root + "/usr") { facts.owner = 0 }
        }
    }

    @Test("the search path has the three places in order, each once")
    func searchPath() {
        let environment = ManifestEnvironment(
            variables: [
                "HOME": "/home/a", "DOCENT_MANIFEST_PATH": "manifests::/x/y/:./manifests",
                "XDG_DATA_DIRS": "/usr/local/share:relative:/opt/data:/usr/local/share/",
            ], currentDirectory: "/src")
        let path = ManifestSearchPath(environment: environment)
        #expect(
            path.directories.map(\.path) == [
                "/src/manifests", "/x/y", "/home/a/.local/share/docent/manifests",
                "/usr/local/share/docent/manifests", "/opt/data/docent/manifests",
            ])
        #expect(path.directories.map(\.origin) == [.explicit, .explicit, .user, .system, .system])
        #expect(
            path.directories.map(\.libraryDirectory) == [
                nil, nil, "/home/a/.local/share/docent/providers", "/usr/local/lib/docent/providers", nil,
            ])
    }

    @Test("relative or empty XDG variables count as unset", arguments: ["", "relative/path"])
    func unsetVariables(value: String) {
        let environment = ManifestEnvironment(
            variables: ["HOME": "/home/a", "XDG_DATA_HOME": value, "XDG_DATA_DIRS": value])
        #expect(environment.dataHome == "/home/a/.local/share")
        #expect(environment.dataDirectories == ["/usr/local/share", "/usr/share"])
    }

    @Test("A1: a picker and a file provider with one containing identifier are one provider")
    func joins() throws {
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider(), .binary)
        try fixture.write("manifests/b.json", ManifestFixture.picker(), .json)
        let result = fixture.scan()
        #expect(result.broken.isEmpty)
        let provider = try #require(result.providers.first)
        #expect(result.providers.count == 1)
        #expect(provider.identifier == "org.example.Drive")
        #expect(provider.fileProvider?.point == .fileProvider && provider.picker?.point == .picker)
        #expect(provider.documentGroup == "group.org.example.Drive")
        #expect(provider.locationName == "Drive")
        #expect(!provider.isSystem)
        #expect(provider.digest.count == 64)
    }

    @Test("a picker with another identifier belongs to the file provider with its document group")
    func joinsByGroup() throws {
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        let picker = ManifestFixture.picker("com.example.Browser")
            .setting(ManifestFixture.groups, ["group.org.example.Drive"])
        try fixture.write("manifests/b.plist", picker)
        let result = fixture.scan()
        #expect(result.providers.map(\.identifier) == ["org.example.Drive"])
        #expect(result.providers.first?.picker?.bundleIdentifier == "com.example.Browser.Picker")
    }

    @Test("A5: a picker without a file provider must not list open or move")
    func pickerAlone() throws {
        try fixture.write("manifests/b.plist", ManifestFixture.picker())
        let result = fixture.scan()
        #expect(result.providers.isEmpty)
        let key = "NSExtension.NSExtensionAttributes.UIDocumentPickerModes"
        #expect(result.broken.first?.problems.map(\.key) == [key + "[1]", key + "[3]"])
    }

    @Test("A5: a drop box lists export only and needs no file provider")
    func dropBox() throws {
        let path = "NSExtension/NSExtensionAttributes/UIDocumentPickerModes"
        let modes: PropertyListValue = ["UIDocumentPickerModeExportToService"]
        try fixture.write("manifests/b.plist", ManifestFixture.picker().setting(path, modes))
        let result = fixture.scan()
        #expect(result.providers.first?.modes == [.exportToService])
        #expect(result.providers.first?.fileProvider == nil)
    }

    @Test("A5: if the file provider is broken, the picker's problem says so")
    func brokenProvider() throws {
        try fixture.write("manifests/b.plist", ManifestFixture.picker())
        let provider = ManifestFixture.fileProvider().setting("CFBundleExecutable", "libNone.so")
        try fixture.write("manifests/a.plist", provider)
        let result = fixture.scan()
        #expect(result.providers.isEmpty && result.broken.count == 2)
        #expect(result.broken.contains { $0.problems.contains { $0.message.contains("its own is broken") } })
    }

    @Test("A9: a picker that cannot reach the document group causes a warning")
    func unreachableGroup() throws {
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        try fixture.write("manifests/b.plist", ManifestFixture.picker().setting(ManifestFixture.groups, nil))
        let provider = try #require(fixture.scan().providers.first)
        #expect(provider.problems.map(\.problem.severity) == [.warning])
        #expect(provider.problems.first?.path == provider.picker?.path)
    }

    @Test("a broken manifest does not affect others, whatever its file name is")
    func brokenNeighbours() throws {
        try fixture.write("manifests/good.plist", ManifestFixture.fileProvider())
        try fixture.write("manifests/00.plist", Array("garbage".utf8))
        try fixture.write("manifests/empty.json", [])
        try fixture.write("manifests/list.json", Array("[1]".utf8))
        try fixture.write("manifests/large.json", [UInt8](repeating: 0x20, count: (1 << 20) + 1))
        try fixture.write("manifests/new\nline.json", Array("{}".utf8))
        try fixture.write("manifests/\(String(repeating: "x", count: 249)).plist", Array("x".utf8))
        try fixture.directory("manifests/directory.plist")
        mkfifo(fixture.manifests + "/pipe.plist", 0o600)
        symlink("good.plist", fixture.manifests + "/link.plist")
        symlink("/dev/zero", fixture.manifests + "/zero.plist")
        // These are not candidates at all.
        try fixture.write("manifests/good.plist~", Array("x".utf8))
        try fixture.write("manifests/.hidden.plist", Array("x".utf8))
        try fixture.write("manifests/README", Array("x".utf8))
        try fixture.write("manifests/below/other.plist", ManifestFixture.fileProvider("org.example.Below"))
        let result = fixture.scan()
        #expect(result.providers.map(\.identifier) == ["org.example.Drive"])
        #expect(result.broken.count == 10)
        #expect(result.broken.allSatisfy { $0.problems.containsError })
    }

    @Test("a file name that is not UTF-8 is shown with escapes, and does not affect others")
    func foreignName() throws {
        try fixture.write("manifests/good.plist", ManifestFixture.fileProvider())
        let name = Array((fixture.manifests + "/").utf8) + [0x66, 0xFF, 0xC3] + Array(".plist".utf8) + [0]
        let descriptor = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { creat($0, 0o644) } ?? -1
            }
        }
        try #require(descriptor >= 0)
        close(descriptor)
        let result = fixture.scan()
        #expect(result.providers.count == 1)
        #expect(result.broken.map(\.path) == [fixture.manifests + "/f\\xff\\xc3.plist"])
        #expect(result.broken.first?.problems.map(\.found) == ["\"f\\xff\\xc3.plist\""])
    }

    @Test("the second of two manifests with one identifier in a directory is reported")
    func duplicates() throws {
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        try fixture.write("manifests/b.plist", ManifestFixture.fileProvider())
        let result = fixture.scan()
        #expect(result.providers.first?.fileProvider?.path == fixture.manifests + "/a.plist")
        #expect(result.broken.map(\.path) == [fixture.manifests + "/b.plist"])
        #expect(result.broken.first?.problems.first?.key == "CFBundleIdentifier")
    }

    @Test("two extensions of one kind for one provider are a problem")
    func twoOfAKind() throws {
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        let other = ManifestFixture.fileProvider().setting("CFBundleIdentifier", "org.example.Drive.Other")
        try fixture.write("manifests/b.plist", other)
        let result = fixture.scan()
        #expect(result.providers.count == 1)
        #expect(result.broken.first?.problems.first?.key == "NSExtension.NSExtensionPointIdentifier")
    }

    @Test("A14: a provider that root installed is a system provider")
    func system() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        let result = fixture.scan(inspector: systemInspector())
        #expect(result.providers.first?.isSystem == true)
        #expect(
            result.providers.first?.fileProvider?.libraryPath
                == fixture.root + "/usr/lib/docent/providers/libDrive.so")
    }

    @Test("A14, S3: a provider in a data directory that the user owns is not a system provider")
    func ownDataDirectory() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        let result = fixture.scan()
        #expect(result.providers.first?.isSystem == false)
        #expect(result.providers.first?.fileProvider?.origin == .user)
    }

    @Test("A14, S3: a system manifest with a user's library is not enabled at first")
    func redirectedLibrary() throws {
        try fixture.write("usr/share/docent/manifests/a.plist", ManifestFixture.fileProvider())
        try fixture.library("mine/libDrive.so")
        let result = fixture.scan(["DOCENT_LIBRARY_PATH": "mine"], inspector: systemInspector())
        #expect(result.providers.count == 1)
        #expect(result.providers.first?.isSystem == false)
    }

    @Test("S3: a user's manifest neither replaces nor extends a system provider, and is reported")
    func userAgainstSystem() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        try installForUser(["a.plist": ManifestFixture.fileProvider(), "b.plist": ManifestFixture.picker()])
        let result = fixture.scan(inspector: systemInspector())
        let provider = try #require(result.providers.first)
        #expect(result.providers.count == 1 && provider.isSystem && provider.picker == nil)
        #expect(result.broken.count == 2)
        #expect(result.broken.allSatisfy { $0.origin == .user && $0.problems[0].message.contains("whole system") })
    }

    @Test("S3: a user's picker does not join a system provider by its document group")
    func userPickerByGroup() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        let modes: PropertyListValue = ["UIDocumentPickerModeImport"]
        let picker = ManifestFixture.picker("com.example.Browser")
            .setting(ManifestFixture.groups, ["group.org.example.Drive"])
            .setting("NSExtension/NSExtensionAttributes/UIDocumentPickerModes", modes)
        try installForUser(["b.plist": picker])
        let result = fixture.scan(inspector: systemInspector())
        #expect(result.providers.map(\.identifier) == ["com.example.Browser", "org.example.Drive"])
        #expect(result.providers.allSatisfy { $0.extensions.count == 1 })
    }

    @Test("a directory given explicitly comes before the system's, which is shown as shadowed")
    func explicitAgainstSystem() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        let result = fixture.scan(inspector: systemInspector())
        #expect(result.providers.first?.isSystem == false)
        #expect(result.shadowed.map(\.shadowedBy) == [fixture.manifests + "/a.plist"])
        #expect(result.broken.isEmpty)
    }

    @Test("the first of two system directories wins")
    func firstWins() throws {
        try installForSystem(["a.plist": ManifestFixture.fileProvider()], prefix: "usr/local")
        try installForSystem(["a.plist": ManifestFixture.fileProvider()])
        let directories = "\(fixture.root)/usr/local/share:\(fixture.root)/usr/share"
        let result = fixture.scan(["XDG_DATA_DIRS": directories], inspector: systemInspector())
        #expect(result.providers.first?.fileProvider?.path.contains("/usr/local/") == true)
        #expect(result.shadowed.count == 1 && result.broken.isEmpty)
    }

    @Test("the library is searched for beside the manifest, in its directory, then on DOCENT_LIBRARY_PATH")
    func libraryOrder() throws {
        try installForUser(["a.plist": ManifestFixture.fileProvider()])
        try fixture.library("build/libDrive.so")
        let variables = ["DOCENT_LIBRARY_PATH": "build"]
        func found() -> String? { fixture.scan(variables).providers.first?.fileProvider?.libraryPath }
        let data = fixture.root + "/home/.local/share/docent"
        try fixture.library("home/.local/share/docent/manifests/libDrive.so")
        #expect(found() == data + "/manifests/libDrive.so")
        unlink(data + "/manifests/libDrive.so")
        #expect(found() == data + "/providers/libDrive.so")
        unlink(data + "/providers/libDrive.so")
        #expect(found() == fixture.root + "/build/libDrive.so")
    }

    @Test("in every directory for libraries a provider's own directory comes before the shared files")
    func ownDirectory() throws {
        try installForUser(["a.plist": ManifestFixture.fileProvider()])
        let variables = ["DOCENT_LIBRARY_PATH": "build"]
        func found() -> String? { fixture.scan(variables).providers.first?.fileProvider?.libraryPath }
        let data = fixture.root + "/home/.local/share/docent/providers"
        // Where an earlier Docent installed it.
        #expect(found() == data + "/libDrive.so")
        try fixture.library("home/.local/share/docent/providers/org.example.Other/libDrive.so")
        #expect(found() == data + "/libDrive.so", "the directory of another provider")
        try fixture.library("home/.local/share/docent/providers/org.example.Drive/libDrive.so")
        #expect(found() == data + "/org.example.Drive/libDrive.so")
        for path in ["/org.example.Drive/libDrive.so", "/libDrive.so"] { unlink(data + path) }
        try fixture.library("build/libDrive.so")
        #expect(found() == fixture.root + "/build/libDrive.so")
        try fixture.library("build/org.example.Drive/libDrive.so")
        #expect(found() == fixture.root + "/build/org.example.Drive/libDrive.so")
    }

    @Test("S3: a provider's own directory that others may write, or that leads out, is not trusted")
    func ownDirectoryTrust() throws {
        try fixture.write("home/.local/share/docent/manifests/a.plist", ManifestFixture.fileProvider())
        let own = "home/.local/share/docent/providers/org.example.Drive"
        try fixture.library(own + "/libDrive.so")
        chmod(fixture.root + "/" + own, 0o777)
        #expect(fixture.scan().broken.first?.problems.first?.message.contains("can be changed by everybody") == true)
        chmod(fixture.root + "/" + own, 0o755)
        #expect(fixture.scan().providers.count == 1)
        unlink(fixture.root + "/" + own + "/libDrive.so")
        symlink(fixture.manifests + "/libDrive.so", fixture.root + "/" + own + "/libDrive.so")
        #expect(fixture.scan().broken.first?.problems.first?.message.contains("leaves its directory") == true)
    }

    @Test("a location name is the last component, or the whole identifier if that is ambiguous")
    func locationNames() throws {
        for (index, identifier) in ["org.a.Drive", "org.b.drive", "org.c.Box"].enumerated() {
            try fixture.write("manifests/\(index).plist", ManifestFixture.fileProvider(identifier))
        }
        #expect(fixture.scan().providers.map(\.locationName) == ["org.a.Drive", "org.b.drive", "Box"])
    }

    @Test("S3: the digest changes with every byte of a manifest and with nothing else")
    func digest() throws {
        func digest() -> String? { fixture.scan().providers.first?.digest }
        try fixture.write("manifests/a.json", ManifestFixture.fileProvider())
        let first = digest()
        #expect(first != nil && first == digest())
        try fixture.write("manifests/b.json", ManifestFixture.picker())
        let both = digest()
        #expect(both != first)
        try fixture.write("manifests/b.json", ManifestFixture.picker().setting("Unknown", 1))
        #expect(digest() != both)
        try fixture.write("manifests/b.json", ManifestFixture.picker())
        #expect(digest() == both)
        try fixture.write(
            "manifests/a.json",
            ManifestFixture.fileProvider().setting("com.apple.security.network.client", true))
        #expect(digest() != both)
    }

    @Test("A5: checking a single picker takes its neighbours into account")
    func check() throws {
        let picker = try fixture.write("manifests/b.plist", ManifestFixture.picker())
        let discovery = ManifestDiscovery(reader: fixture.reader())
        #expect(discovery.check(files: [picker]).map(\.problems.containsError) == [true])
        let provider = try fixture.write("manifests/a.plist", ManifestFixture.fileProvider())
        #expect(discovery.check(files: [picker]).map(\.problems.count) == [0])
        let missing = fixture.manifests + "/none.plist"
        let reports = discovery.check(files: [missing, provider])
        #expect(reports.map(\.path) == [missing, provider])
        #expect(reports.map(\.problems.containsError) == [true, false])
    }

    @Test("a scan asks once about each path, whatever is below it")
    func askingOnce() throws {
        for number in 1...20 {
            try fixture.library("manifests/lib\(number).so")
            try fixture.write(
                "manifests/\(number).plist",
                ManifestFixture.fileProvider("org.example.Drive\(number)")
                    .setting("CFBundleExecutable", .string("lib\(number).so")))
        }
        let asked = Mutex<[String: Int]>([:])
        let inspector = fixture.inspector { path, _ in asked.withLock { $0[path, default: 0] += 1 } }
        #expect(fixture.scan(inspector: inspector).providers.count == 20)
        let counts = asked.withLock { $0 }
        #expect(counts.filter { $0.value > 1 }.isEmpty)
        #expect(counts["/"] == 1 && counts[fixture.manifests] == 1 && counts[fixture.manifests + "/lib7.so"] == 1)
        // The next scan asks again: owners may have changed.
        #expect(fixture.scan(inspector: inspector).providers.count == 20)
        #expect(asked.withLock { $0.values.allSatisfy { $0 == 2 } })
    }

    @Test("a result without manifests is no error")
    func nothing() {
        let result = fixture.scan(["DOCENT_MANIFEST_PATH": "/nonexistent"])
        #expect(result.providers.isEmpty && result.broken.isEmpty)
    }
}
