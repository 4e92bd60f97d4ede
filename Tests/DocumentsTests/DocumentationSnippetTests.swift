import Foundation
import Testing

/// What the documentation shows is what is compiled here.
@Suite struct DocumentationSnippetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Lines without what all of them are indented by, and without empty ones around them.
    private static func plain(_ lines: some Sequence<Substring>) -> String {
        let lines = Array(lines)
        let indentation =
            lines.filter { !$0.allSatisfy { $0 == " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    /// The regions of lines between those for which `begins` and `ends` hold.
    private static func regions(
        of text: String, from begins: (Substring) -> Bool, to ends: (Substring) -> Bool
    ) -> [String] {
        var regions: [String] = []
        var region: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if begins(line) {
                region = []
            } else if let lines = region, ends(line) {
                regions.append(plain(lines))
                region = nil
            } else {
                region?.append(line)
            }
        }
        return regions
    }

    private static func compiled() throws -> [String] {
        let source = root.appending(path: "Tests/DocumentsTests/DocumentationSnippets.swift")
        return regions(
            of: try String(contentsOf: source, encoding: .utf8),
            from: { $0.trimmingCharacters(in: .whitespaces).hasPrefix("// snippet: ") },
            to: { $0.trimmingCharacters(in: .whitespaces) == "// end" })
    }

    private static func shown(_ document: String) throws -> [String] {
        regions(
            of: try String(contentsOf: root.appending(path: "docs/\(document)"), encoding: .utf8),
            from: { $0 == "```swift" }, to: { $0 == "```" })
    }

    /// What is left of a block when the compiled regions in it are taken away.
    private static func rest(of block: String, without regions: [String]) -> String {
        regions.reduce(block) { $0.replacing($1, with: "") }.split(separator: "\n")
            .filter { !$0.hasPrefix("import ") && !$0.allSatisfy { $0 == " " } }.joined(separator: "\n")
    }

    @Test("Issue 4: the Swift of the documentation compiles", arguments: ["documents.md", "coordination.md"])
    func snippets(document: String) throws {
        let compiled = try Self.compiled()
        #expect(compiled.count == 6)
        for block in try Self.shown(document) where !block.contains("g_unix_fd_add") {
            let rest = Self.rest(of: block, without: compiled)
            #expect(rest.isEmpty, "not in DocumentationSnippets.swift: \(rest)")
        }
    }

    @Test("Issue 4: what is compiled for the documentation is shown there")
    func isShown() throws {
        let shown = try Self.shown("documents.md")
        for snippet in try Self.compiled() { #expect(shown.contains { $0.contains(snippet) }, "\(snippet)") }
    }
}
