import DocentTestSupport
import Foundation
import Testing

/// The Swift code in the documentation and in the comments of the SDKs is compiled: each block is found between two
/// marks in a file of `Snippets`, or in a source of an example or template, literally except for indentation and
/// imports.
@Suite(.needs(.programs)) struct SnippetTests {
    /// Blocks that cannot be compiled here, with the reason.
    private static let exceptions = [
        "g_unix_fd_add": "GTK is not linked",
        "import PackageDescription": "StrangersWayTests builds the package",
        "struct Shopping {": "StrangersWayTests builds and runs it",
        ".package(name: \"docent\", path: \"../docent\", traits: [])": "StrangersWayTests builds it with that",
    ]

    /// Lines without their common indentation, and without empty lines around them.
    private static func plain(_ lines: some Sequence<Substring>) -> String {
        let lines = Array(lines)
        let indentation =
            lines.filter { !$0.allSatisfy { $0 == " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    /// The ranges of lines between those for which `begins` and `ends` hold.
    private static func regions(
        of text: String, from begins: (Substring) -> Bool, to ends: (Substring) -> Bool
    ) -> [String] {
        var regions: [String] = []
        var region: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if region == nil, begins(line) {
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

    /// The regions between marks in the files of `Snippets`, longest first.
    private static func compiled() throws -> [String] {
        try DocumentationTree.files(below: "Tests/System/DocumentationTests/Snippets", ending: ".swift").flatMap {
            file in
            regions(
                of: try DocumentationTree.text(file),
                from: { $0.trimmingCharacters(in: .whitespaces).hasPrefix("// snippet: ") },
                to: { $0.trimmingCharacters(in: .whitespaces) == "// end" })
        }
        .sorted { $0.count > $1.count }
    }

    /// The Swift code in a document, or in the documentation comments of a source.
    private static func shown(in document: String) throws -> [String] {
        var text = try DocumentationTree.text(document)
        if document.hasSuffix(".swift") {
            text = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .map { $0 == "///" ? "" : $0.hasPrefix("/// ") ? String($0.dropFirst(4)) : "//" }
                .joined(separator: "\n")
        }
        return regions(of: text, from: { $0 == "```swift" }, to: { $0 == "```" })
    }

    private static func everyDocument() throws -> [String] {
        try DocumentationTree.documents() + DocumentationTree.commentedSources()
    }

    /// The lines of sources that are built elsewhere: a block may quote them.
    private static func quotable() throws -> [String] {
        let files = try ["Examples", "Templates/swift"].flatMap {
            try DocumentationTree.files(below: $0, ending: ".swift")
        }
        return try files.map { unindented(try DocumentationTree.text($0)) }
    }

    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "\n")
    }

    /// The rest of a block after the compiled regions in it are removed.
    private static func rest(of block: String, without regions: [String]) -> String {
        regions.reduce(block) { $0.replacing($1, with: "") }.split(separator: "\n")
            .filter { !$0.hasPrefix("import ") && !$0.allSatisfy { $0 == " " } }.joined(separator: "\n")
    }

    @Test("the Swift code in every document and in the comments of every SDK is compiled")
    func everyBlock() throws {
        let compiled = try Self.compiled()
        let quotable = try Self.quotable()
        var blocks = 0
        for document in try Self.everyDocument() {
            for block in try Self.shown(in: document) {
                blocks += 1
                if Self.exceptions.keys.contains(where: { block.contains($0) }) { continue }
                let rest = Self.rest(of: block, without: compiled)
                if rest.isEmpty || quotable.contains(where: { $0.contains(Self.unindented(block)) }) { continue }
                Issue.record(
                    "\(document) shows Swift that is not in Tests/System/DocumentationTests/Snippets:\n\(rest)")
            }
        }
        #expect(blocks > 20)
    }

    @Test("every compiled snippet appears in the documentation")
    func everySnippet() throws {
        let shown = try Self.everyDocument().flatMap { try Self.shown(in: $0) }
        let compiled = try Self.compiled()
        #expect(compiled.count > 10)
        for snippet in compiled {
            let isShown = shown.contains { $0.contains(snippet) }
            #expect(isShown, "no document shows:\n\(snippet)")
        }
    }
}
