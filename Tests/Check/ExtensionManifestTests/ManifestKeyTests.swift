import Foundation
import Testing

@testable import ExtensionManifest

/// The table of keys agrees with the reader and with docs/providers/manifest.md.
@Suite struct ManifestKeyTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    /// A picker's manifest for its keys, else a file provider's, with a type declaration.
    private func manifest(for key: ManifestKey) -> PropertyListValue {
        let base = key.entry.place == .attributes ? ManifestFixture.picker() : ManifestFixture.fileProvider()
        return base.setting("UTExportedTypeDeclarations", [["UTTypeIdentifier": "org.example.drawing"]])
    }

    /// The manifest with a value for the key, in the dictionary that the table names.
    private func manifest(with value: PropertyListValue?, for key: ManifestKey) -> PropertyListValue {
        let base = manifest(for: key)
        // One of the two names is read only if the other is missing.
        if key == .name { return base.setting("CFBundleDisplayName", nil).setting(key.rawValue, value) }
        switch key.entry.place {
        case .topLevel, .entitlements: return base.setting(key.rawValue, value)
        case .extension: return base.setting("NSExtension/\(key.rawValue)", value)
        case .attributes: return base.setting("NSExtension/NSExtensionAttributes/\(key.rawValue)", value)
        case .typeDeclaration:
            let declaration: PropertyListValue = [
                "UTTypeIdentifier": "org.example.drawing", "UTTypeConformsTo": "public.data",
            ]
            return base.setting("UTExportedTypeDeclarations", .array([declaration.setting(key.rawValue, value)]))
        }
    }

    private func path(of key: ManifestKey) -> String {
        switch key.entry.place {
        case .topLevel, .entitlements: key.rawValue
        case .extension: "NSExtension.\(key.rawValue)"
        case .attributes: "NSExtension.NSExtensionAttributes.\(key.rawValue)"
        case .typeDeclaration: "UTExportedTypeDeclarations[0].\(key.rawValue)"
        }
    }

    @Test("the reader refuses a value of another kind than the table says", arguments: ManifestKey.allCases)
    func wrongKind(_ key: ManifestKey) throws {
        let wrong: PropertyListValue = key.entry.value == .integer ? "seven" : 7
        let report = try fixture.read(manifest(with: wrong, for: key))
        let problem = report.problems.first { $0.key == path(of: key) && $0.severity != .note }
        // One key is reported with any value.
        let expected = key == .documentScope ? "the key below" : key.entry.value.rawValue
        #expect(problem?.expected.hasPrefix(expected) == true, "\(report.problems)")
    }

    @Test("the reader accepts a value of the kind that the table says", arguments: ManifestKey.allCases)
    func rightKind(_ key: ManifestKey) throws {
        let value: PropertyListValue =
            switch key.entry.value {
            case .string: "text"
            case .boolean: true
            case .integer: 8
            case .dictionary: [:]
            case .strings: ["text"]
            case .size: "512 MiB"
            case .dictionaries: [["UTTypeIdentifier": "org.example.drawing"]]
            }
        let report = try fixture.read(manifest(with: value, for: key))
        #expect(!report.problems.contains { $0.message.contains("but must be") }, "\(report.problems)")
    }

    @Test("a missing required key is reported by name", arguments: ManifestKey.allCases)
    func required(_ key: ManifestKey) throws {
        let report = try fixture.read(manifest(with: nil, for: key))
        let missed = report.problems.contains {
            $0.key == path(of: key) && $0.found == "nothing" && $0.severity != .note
        }
        #expect(missed == (key.entry.need != .nobody), "\(report.problems)")
    }

    @Test("a misspelt key is recognised, for all keys that are read", arguments: ManifestKey.allCases)
    func slip(_ key: ManifestKey) throws {
        // A type declaration may contain any key.
        guard key.entry.place != .typeDeclaration else { return }
        let misspelt = key.rawValue + "s"
        let place = path(of: key).dropLast(key.rawValue.count)
        let written = place.split(separator: ".").map { $0 + "/" }.joined() + misspelt
        let report = try fixture.read(manifest(for: key).setting(written, true))
        let note = report.problems.first { $0.key == place + misspelt }
        #expect(note?.expected.contains(key.rawValue.dropLast(1)) == true, "\(report.problems)")
    }

    @Test("no key name occurs in the readers outside the table")
    func oneTable() throws {
        let folder = DocumentationFile.root.appending(path: "Sources/ExtensionManifest")
        let names = ManifestKey.allCases.map(\.rawValue)
        var read = 0
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            if file == "ManifestKey.swift" || file == "KnownKeys.swift" { continue }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            read += 1
            for name in names { #expect(!text.contains("\"\(name)\""), "\(file) has \(name)") }
        }
        #expect(read > 20)
    }
}
