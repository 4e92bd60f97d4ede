import Glibc
import Testing

@testable import ExtensionManifest

/// One change to a good manifest, and the problem that it must cause.
struct Hazard: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isPicker: Bool
    let path: String
    let value: PropertyListValue?
    let severity: ManifestProblem.Severity
    let key: String
    let words: String

    init(
        _ name: String, picker: Bool = false, _ path: String, _ value: PropertyListValue?,
        _ severity: ManifestProblem.Severity = .error, at key: String? = nil, says words: String
    ) {
        testDescription = name
        isPicker = picker
        self.path = path
        self.value = value
        self.severity = severity
        self.key = key ?? path.split(separator: "/").joined(separator: ".")
        self.words = words
    }

    static let group = "NSExtension/NSExtensionFileProviderDocumentGroup"
    static let principal = "NSExtension/NSExtensionPrincipalClass"
    static let modes = "NSExtension/NSExtensionAttributes/UIDocumentPickerModes"
    static let types = "NSExtension/NSExtensionAttributes/UIDocumentPickerSupportedFileTypes"
    static let storyboard = "NSExtension/NSExtensionMainStoryboard"
    static let point = "NSExtension/NSExtensionPointIdentifier"
    private static let modesPath = "NSExtension.NSExtensionAttributes.UIDocumentPickerModes"
    private static let typesPath = "NSExtension.NSExtensionAttributes.UIDocumentPickerSupportedFileTypes"

    static let all: [Hazard] = [
        .init(
            "A4: unknown mode", picker: true, modes, ["UIDocumentPickerModeImprot"], at: modesPath + "[0]",
            says: "UIDocumentPickerModeImport"),
        .init("A4: short mode", picker: true, modes, ["export"], at: modesPath + "[0]", says: "ModeExportToService"),
        .init(
            "A4: mode twice", picker: true, modes, ["UIDocumentPickerModeImport", "UIDocumentPickerModeImport"],
            .warning, at: modesPath + "[1]", says: "twice"),
        .init("A3: no modes", picker: true, modes, [], says: "no mode"),
        .init("A3: modes missing", picker: true, modes, nil, says: "missing"),
        .init("A3: modes of another type", picker: true, modes, 7, says: "a number"),
        .init("A7: MIME type", picker: true, types, ["text/plain"], at: typesPath + "[0]", says: "MIME type"),
        .init("A7: file name pattern", picker: true, types, ["*.pdf"], at: typesPath + "[0]", says: "extension"),
        .init(
            "A7: zero-width character", picker: true, types, ["public.\u{200B}image"], .warning,
            at: typesPath + "[0]", says: "invisible"),
        .init("A7: no types", picker: true, types, [], .warning, says: "public.content"),
        .init("A6: neither storyboard nor class", picker: true, storyboard, nil, says: "missing"),
        .init(
            "A6: storyboard and class", picker: true, principal, "Drive.Picker", .warning,
            at: "NSExtension.NSExtensionMainStoryboard", says: "Both"),
        .init("A6: unknown storyboard", picker: true, storyboard, "Fancy", says: "cannot be shown"),
        .init("A8: no class", principal, nil, says: "missing"),
        .init("A8: storyboard in a file provider", storyboard, "MainInterface", .warning, says: "no user interface"),
        .init("A8: invalid class name", principal, "Drive.9Provider", says: "cannot be the name of a class"),
        .init("6: class with an unknown variable", principal, "$(SOMETHING).Provider", says: "build variable"),
        .init("6: empty group", group, "", says: "empty"),
        .init("6: group with an unknown variable", group, "$(APP_GROUP)", says: "build variable"),
        .init("A9: group not entitled", group, "group.org.example.Other", says: "not among"),
        .init("X8: group without prefix", group, "org.example.Drive", .warning, says: "lacks the prefix"),
        .init("6: group absent", group, nil, .note, says: "replicated"),
        .init("F3: group with .. in its name", group, "group./../../etc", says: "cannot be the name of a group"),
        .init("F3: group with NUL", group, "group.a\u{0}b", says: "cannot be the name of a group"),
        .init(
            "O6: a group of the daemon", "keychain-access-groups",
            ["org.example.Drive", "org.docent.docentd"], says: "reserved for Docent"),
        .init(
            "O6: a group named like that of a domain", "keychain-access-groups", ["org.docent.WebDAV\u{2F}domain"],
            at: "keychain-access-groups[0]", says: "cannot be the name of a group"),
        .init(
            "T4: too many groups", "keychain-access-groups",
            .array((0..<17).map { .string("org.example.g\($0)") }), says: "more than the 16"),
        .init(
            "A9: entitled group with .. in its name", ManifestFixture.groups, ["../x"],
            at: ManifestFixture.groups + "[0]",
            says: "cannot be the name of a group"),
        .init("A8: unknown point", point, "com.apple.fileprovider-nonu", says: "com.apple.fileprovider-nonui"),
        .init("A8: no point", point, nil, says: "missing"),
        .init("5: no NSExtension", "NSExtension", nil, says: "missing"),
        .init("5: NSExtension of another type", "NSExtension", ["x"], says: "an array"),
        .init("5: no identifier", "CFBundleIdentifier", nil, says: "missing"),
        .init("5: identifier with a slash", "CFBundleIdentifier", "org.example/../x.y", says: "bundle identifier"),
        .init("5: identifier of two parts", "CFBundleIdentifier", "Drive.Provider", says: "bundle identifier"),
        .init("5: identifier with a newline", "CFBundleIdentifier", "org.example.Drive\n.x", says: "bundle identifier"),
        .init(
            "6: identifier is a variable", "CFBundleIdentifier", "$(PRODUCT_BUNDLE_IDENTIFIER)", says: "build variable"),
        .init(
            "5: identifier of 256 bytes", "CFBundleIdentifier", .string("a.b." + String(repeating: "c", count: 252)),
            says: "bundle identifier"),
        .init("5: name with a newline", "CFBundleDisplayName", "Drive\nTrusted", says: "shown safely"),
        .init("5: name with reversed text", "CFBundleDisplayName", "Drive\u{202E}evil", says: "shown safely"),
        .init("5: name of spaces", "CFBundleDisplayName", "  ", says: "shown safely"),
        .init(
            "5: version is a variable", "CFBundleShortVersionString", "$(MARKETING_VERSION)", .warning, says: "version"),
        .init("5: no library named", "CFBundleExecutable", nil, says: "missing"),
        .init("5: library is a variable", "CFBundleExecutable", "$(EXECUTABLE_NAME)", says: "build variable"),
        .init("5: library is missing", "CFBundleExecutable", "libNone.so", says: "not found in any"),
        .init("5: absolute library", "CFBundleExecutable", "/usr/lib/libc.so", says: "leaves"),
        .init("5: library above its directory", "CFBundleExecutable", "sub/../../libDrive.so", says: "leaves"),
        .init("5: library with NUL", "CFBundleExecutable", "libDrive.so\u{0}x", says: "hidden"),
        .init("5: library is not an ELF file", "CFBundleExecutable", "text.so", says: "not a library"),
        .init("5: library is a directory", "CFBundleExecutable", "folder", says: "not a readable regular file"),
        .init("5: library is a pipe", "CFBundleExecutable", "pipe.so", says: "not a readable regular file"),
        .init(
            "5: library is a link that leads out of its directory", "CFBundleExecutable", "out.so",
            says: "leaves its directory"),
        .init(
            "5: library in a linked directory", "CFBundleExecutable", "away/libOut.so",
            says: "leaves its directory"),
        .init("5: library is a dangling link", "CFBundleExecutable", "dangling.so", says: "missing file"),
        .init(
            "X7: top-level scope key", "NSUbiquitousContainerIsDocumentScopePublic", true, .warning, says: "top level"),
        .init(
            "3.8: misspelled key", "NSExtension/NSExtensionPrincipleClass", "x", .note,
            says: "NSExtensionPrincipalClass"),
        .init(
            "3.8: pipeline too deep", "NSExtension/NSExtensionFileProviderUploadPipelineDepth", 129, .warning,
            says: "out of range"),
        .init("S2: network is not a boolean", "com.apple.security.network.client", "YES", says: "a boolean"),
        .init("S2: relative program", "org.docent.spawn", ["rclone"], at: "org.docent.spawn[0]", says: "absolute path"),
        .init(
            "S2: program that is no program but a file of the kernel", "org.docent.spawn", ["/proc/self/mem"],
            at: "org.docent.spawn[0]", says: "which no extension may reach"),
        .init(
            "S2: program with .. in its path", "org.docent.spawn", ["/usr/bin/../x"], at: "org.docent.spawn[0]",
            says: "absolute"),
        .init(
            "6: every keychain group of a team", "keychain-access-groups", ["$(AppIdentifierPrefix)*"],
            at: "keychain-access-groups[0]", says: "wildcard"),
        .init(
            "6: name with an unknown variable", "CFBundleDisplayName", "$(APP_NAME)", .warning, says: "build variable"),
        .init(
            "S2: program with a variable", "org.docent.spawn", ["/usr/bin/$(X)"], at: "org.docent.spawn[0]",
            says: "path"),
        .init(
            "S2: settings are writable", ManifestFixture.homeWrite, [".config/autostart"], .warning,
            at: ManifestFixture.homeWrite + "[0]", says: "settings"),
        .init("6: declarations of another type", "UTImportedTypeDeclarations", ["a": "b"], says: "a dictionary"),
        .init(
            "7.2: type declared twice", "UTExportedTypeDeclarations",
            [["UTTypeIdentifier": "org.example.note"], ["UTTypeIdentifier": "org.example.note"]], .warning,
            at: "UTExportedTypeDeclarations[1].UTTypeIdentifier", says: "second time"),
    ]

    /// Whether a sentence names the key that is wrong: by its whole path or, outside of arrays, by its last key.
    func isNamed(in sentence: String) -> Bool {
        let words = sentence.split { !$0.isLetter && !$0.isNumber && !"._-[]".contains($0) }
            .map { $0.last == "." ? String($0.dropLast()) : String($0) }
        let last = key.hasPrefix("NSExtension.") ? key.split(separator: ".").last.map(String.init) ?? key : key
        return words.contains(key) || !key.contains("[") && words.contains(last)
    }
}

@Suite struct ManifestProblemTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    @Test("6: every hazard of a manifest is reported at its key with a remedy", arguments: Hazard.all)
    func hazard(hazard: Hazard) throws {
        try fixture.library("manifests/text.so", Array("#!/bin/sh".utf8))
        try fixture.directory("manifests/folder")
        try fixture.library("outside/libOut.so")
        mkfifo(fixture.manifests + "/pipe.so", 0o600)
        symlink("../outside/libOut.so", fixture.manifests + "/out.so")
        symlink("../outside", fixture.manifests + "/away")
        symlink("nothing", fixture.manifests + "/dangling.so")
        var base = hazard.isPicker ? ManifestFixture.picker() : ManifestFixture.fileProvider()
        if hazard.testDescription.hasPrefix("X8") { base = base.setting(ManifestFixture.groups, ["org.example.Drive"]) }
        let report = try fixture.read(base.setting(hazard.path, hazard.value))
        #expect(report.path == fixture.manifests + "/extension.json")
        let match = report.problems.first { problem in
            problem.key == hazard.key && problem.severity == hazard.severity
                && (problem.message + problem.expected + problem.remedy).contains(hazard.words)
        }
        let problem = try #require(match, "\(report.problems)")
        #expect(hazard.isNamed(in: problem.message), "the sentence names the key: \(problem.message)")
        #expect(report.problems.allSatisfy { $0.file == nil }, "all are in the manifest itself")
        #expect(!problem.found.isEmpty && !problem.remedy.isEmpty && problem.message.hasSuffix("."))
        #expect((report.manifest == nil) == report.problems.containsError)
        #expect(report.problems.containsError == (hazard.severity == .error))
    }

    @Test(
        "S2: entitlements that disable the sandbox are refused",
        arguments: [
            (ManifestFixture.homeWrite, "/"), (ManifestFixture.homeWrite, ""), (ManifestFixture.homeRead, "."),
            (ManifestFixture.homeRead, "/.ssh/"), (ManifestFixture.homeRead, ".ssh/id_ed25519"),
            (ManifestFixture.homeWrite, ".gnupg"), (ManifestFixture.homeWrite, ".local"),
            (ManifestFixture.homeWrite, ".local/share/docent/Groups"), (ManifestFixture.homeRead, ".config/docent"),
            (ManifestFixture.homeRead, "Documents/../.ssh"), (ManifestFixture.homeRead, "~/Documents"),
            (ManifestFixture.homeRead, "Documents/keys"), (ManifestFixture.homeRead, "Documents/keys/none/yet"),
            (ManifestFixture.homeRead, "a\u{0}b"),
            (ManifestFixture.absoluteRead, "/"), (ManifestFixture.absoluteRead, "//"),
            (ManifestFixture.absoluteWrite, "HOME"), (ManifestFixture.absoluteWrite, "HOME/.."),
            (ManifestFixture.absoluteWrite, "ROOT"), (ManifestFixture.absoluteRead, "HOME/.ssh"),
            (ManifestFixture.absoluteRead, "Documents"), (ManifestFixture.absoluteRead, "/proc/self/root"),
            (ManifestFixture.absoluteRead, "ROOT/run/docent"), (ManifestFixture.absoluteRead, "ROOT/link"),
        ])
    func refusedEntitlement(key: String, path: String) throws {
        try fixture.directory("home/.ssh")
        symlink("../.ssh", fixture.root + "/home/Documents/keys")
        symlink("home", fixture.root + "/link")
        let written = path.replacing("HOME", with: fixture.root + "/home").replacing("ROOT", with: fixture.root)
        let report = try fixture.read(ManifestFixture.fileProvider().setting(key, [.string(written)]))
        #expect(report.manifest == nil)
        #expect(report.problems.contains { $0.severity == .error && $0.key == key + "[0]" }, "\(report.problems)")
    }

    @Test(
        "S3: a file that others could change is not used",
        arguments: [
            ("/manifests/extension.json", 0o666 as UInt32, 1000 as UInt32, false),
            ("/manifests/extension.json", 0o664, 1000, false),
            ("/manifests/extension.json", 0o644, 4711, false),
            ("/manifests/libDrive.so", 0o757, 1000, false),
            ("/manifests/libDrive.so", 0o755, 4711, false),
            ("/manifests", 0o777, 1000, false),
            ("/manifests", 0o1777, 1000, false),
            ("/manifests", 0o755, 4711, false),
            ("", 0o777, 1000, false),
            ("", 0o755, 4711, false),
            ("", 0o1777, 1000, true),
            ("/manifests/libDrive.so", 0o755, 0, true),
            ("/manifests", 0o755, 0, true),
        ])
    func ownership(path: String, permissions: UInt32, owner: UInt32, isTrusted: Bool) throws {
        let target = fixture.root + path
        let inspector = fixture.inspector { path, facts in
            guard path == target else { return }
            facts.permissions = permissions
            facts.owner = owner
            facts.group = 1000
        }
        let file = try fixture.write("manifests/extension.json", ManifestFixture.fileProvider(), .json)
        let report = fixture.reader(inspector).read(file)
        #expect((report.manifest != nil) == isTrusted, "\(report.problems)")
        if !isTrusted {
            #expect(report.problems.contains { $0.severity == .error && $0.message.contains("\"\(target)\"") })
        }
    }

    @Test("S3: a private group may have write access")
    func privateGroup() throws {
        let target = fixture.manifests
        let inspector = FileInspector(user: geteuid(), trustedGroups: [0, 77]) { path in
            var facts = FileInspector.systemFacts(path)
            if path == target {
                facts?.permissions = 0o775
                facts?.group = 77
            }
            return facts
        }
        let file = try fixture.write("manifests/extension.json", ManifestFixture.fileProvider(), .json)
        #expect(fixture.reader(inspector).read(file).manifest != nil)
    }

    @Test("S3: the real inspector trusts the user's own directory")
    func realInspector() throws {
        let file = try fixture.write("manifests/extension.json", ManifestFixture.fileProvider(), .json)
        #expect(fixture.reader(.system()).read(file).manifest != nil)
        chmod(file, 0o666)
        #expect(fixture.reader(.system()).read(file).manifest == nil)
    }
}
