import DocentTestSupport
import Foundation
import Testing

@testable import ExtensionManifest

/// A text of the tree's documentation.
enum DocumentationFile {
    static let root = URL(filePath: Repository.root)

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// docs/providers/manifest.md agrees with the reader's own table: the rows between two marks are generated from it.
@Suite struct ManifestReferenceTests {
    /// The rows of a table as docs/providers/manifest.md must have them.
    private func table(of place: ManifestKey.Place) -> String {
        let rows = ManifestKey.allCases.filter { $0.entry.place == place }.map { key in
            let need =
                switch key.entry.need {
                case .nobody: ""
                case .everybody: ", required"
                case .fileProviders: ", required for a file provider"
                case .pickers: ", required for a picker"
                }
            let value = key.entry.value.rawValue.drop { $0 != " " }.dropFirst()
            return "| `\(key.rawValue)` | \(value)\(need) | \(key.entry.rule) |\n"
        }
        return "| key | value | rule |\n|---|---|---|\n" + rows.joined()
    }

    @Test(
        "docs/providers/manifest.md lists exactly the keys that are read",
        arguments: zip(
            ManifestKey.Place.allCases,
            ["top level", "entitlements", "NSExtension", "NSExtensionAttributes", "type declaration"]))
    func keys(of place: ManifestKey.Place, mark: String) throws {
        let text = try DocumentationFile.text("docs/providers/manifest.md")
        let start = try #require(text.firstRange(of: "<!-- keys: \(mark) -->\n"))
        let end = try #require(text[start.upperBound...].firstRange(of: "<!-- end -->"))
        let written = String(text[start.upperBound..<end.lowerBound])
        let expected = table(of: place)
        #expect(written == expected, "put this between the marks of docs/providers/manifest.md:\n\(expected)")
    }

    @Test("docs/providers/manifest.md names every key that is known and has no effect, and no unknown one")
    func ignored() throws {
        let text = try DocumentationFile.text("docs/providers/manifest.md")
        let ignored = KnownKeys.ignoredTopLevel + KnownKeys.ignoredInExtension
        for key in ignored { #expect(text.contains("`\(key)`"), "\(key)") }
        let known = Set(ignored + ManifestKey.allCases.map(\.rawValue))
        let named = text.matches(of: /`((?:CFBundle|NSExtension|NSUbiquitous|UT[EIT]|UIDocumentPickerS)[A-Za-z]+)`/)
        #expect(named.count > 30)
        for name in named { #expect(known.contains(String(name.1)), "\(name.1)") }
    }
}
