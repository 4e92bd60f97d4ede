import Foundation
import Testing

/// What the documentation for providers shows is what is compiled here.
@Suite struct ProviderSnippetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("Issue 6: the Swift of a section is compiled", arguments: ["signing in", "sharing secrets"])
    func isCompiled(_ section: String) throws {
        let source = try String(
            contentsOf: Self.root.appending(path: "Tests/FileProviderTests/ProviderSnippets.swift"), encoding: .utf8)
        let document = try String(contentsOf: Self.root.appending(path: "docs/providers.md"), encoding: .utf8)
        let start = try #require(source.firstRange(of: "// snippet: \(section)\n"))
        let rest = source[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        let lines = rest.prefix { $0.trimmingCharacters(in: .whitespaces) != "// end" }
        let snippet = lines.map { $0 + "\n" }.joined()
        #expect(snippet.count > 200)
        #expect(document.contains("```swift\n\(snippet)```"))
    }
}
