import DocentInterfaces
import ExtensionManifest
import Testing

@testable import ExtensionHosting

/// The rule of each mode, as a table over modes and kinds of URL (C1 to C5, X1 to X3).
@Suite struct URLRuleTests {
    static let provider = "org.example.Cloud"
    static let storage = "/data/Groups/g/File Provider Storage/_default"

    /// The expected result of a URL in each mode: `storage:PATH`, `item`, `file`, or the rule that refuses it.
    struct Row: Sendable, CustomTestStringConvertible {
        var url: String
        var canonical: String?
        var readable = false
        var hasStorage = true
        var outcomes: [PickerMode: String]
        var testDescription: String {
            "\(url)\(readable ? " readable" : "")\(hasStorage ? "" : " without file provider")"
        }

        init(
            _ url: String, canonical: String? = nil, readable: Bool = false, hasStorage: Bool = true,
            _ outcomes: (import: String, open: String, export: String, move: String)
        ) {
            self.url = url
            self.canonical = canonical
            self.readable = readable
            self.hasStorage = hasStorage
            self.outcomes = [
                .import: outcomes.import, .open: outcomes.open, .exportToService: outcomes.export,
                .moveToService: outcomes.move,
            ]
        }
    }

    static let rows: [Row] = [
        Row("file://\(storage)/a.txt", ("storage:a.txt", "storage:a.txt", "storage:a.txt", "storage:a.txt")),
        Row("file://\(storage)/d/e/f", ("storage:d/e/f", "storage:d/e/f", "storage:d/e/f", "storage:d/e/f")),
        Row("file://localhost\(storage)/a", ("storage:a", "storage:a", "storage:a", "storage:a")),
        Row("file://\(storage)/x/../a", ("storage:a", "storage:a", "storage:a", "storage:a")),
        Row("file://\(storage)", ("X3", "X3", "X3", "X3")),
        Row("file://\(storage)/", ("X3", "X3", "X3", "X3")),
        Row("file://\(storage)/x/..", ("X3", "X3", "X3", "X3")),
        Row("file://\(storage)/..", ("C1", "C2", "C3", "C4")),
        Row("file://\(storage)/../other/a", ("C1", "C2", "C3", "C4")),
        Row("file://\(storage)/%2e%2e/other/a", ("C1", "C2", "C3", "C4")),
        // A common text prefix does not make a folder the parent.
        Row("file://\(storage)2/a", ("C1", "C2", "C3", "C4")),
        Row("file://\(storage)/link", canonical: "/etc/passwd", ("C1", "C2", "C3", "C4")),
        Row("file://\(storage)/link", canonical: "/etc/passwd", readable: true, ("file", "C2", "file", "C4")),
        Row("file:///tmp/a", ("C1", "C2", "C3", "C4")),
        Row("file:///tmp/a", readable: true, ("file", "C2", "file", "C4")),
        Row("file:///tmp/a", readable: true, hasStorage: false, ("file", "C2", "file", "C4")),
        Row("file:///tmp/a", hasStorage: false, ("C1", "C2", "C3", "C4")),
        Row("file://\(storage)/a", hasStorage: false, ("C1", "C2", "C3", "C4")),
        Row("docent://\(provider)/id", ("item", "item", "item", "item")),
        Row("docent://\(provider)@work/id", ("item", "item", "item", "item")),
        Row("docent://\(provider)/id", hasStorage: false, ("C1", "C2", "C3", "C4")),
        Row("docent://\(provider)/.root", ("X3", "X3", "X3", "X3")),
        Row("docent://org.example.Other/id", ("C1", "C2", "C3", "C4")),
        Row("http://example.org/a", ("C5", "C5", "C5", "C5")),
        Row("file://elsewhere/a", readable: true, ("C5", "C5", "C5", "C5")),
        Row("/tmp/a", readable: true, ("C5", "C5", "C5", "C5")),
        Row("file:///tmp/a%00b", readable: true, ("C5", "C5", "C5", "C5")),
        Row("", ("C5", "C5", "C5", "C5")),
    ]

    @Test("C1-C5, X1-X3: every kind of URL in every mode", arguments: rows)
    func table(_ row: Row) {
        for mode in PickerMode.allCases {
            #expect(Self.outcome(row, mode) == row.outcomes[mode], "in \(mode)")
        }
    }

    private static func outcome(_ row: Row, _ mode: PickerMode) -> String {
        let location = PickedLocation(url: row.url)
        var facts: URLRule.Facts?
        if case .file(let path) = location {
            facts = URLRule.Facts(canonicalPath: row.canonical ?? path, isReadableFile: row.readable)
        }
        do throws(Failure) {
            let verdict = try URLRule.judge(
                location, mode: mode, facts: facts, provider: provider, storage: row.hasStorage ? storage : nil)
            switch verdict {
            case .storage(let path): return "storage:" + path
            case .item: return "item"
            case .pickerFile: return "file"
            }
        } catch {
            // C5: the error names the provider and says what the mode requires.
            guard error.code == .providerFailed, error.provider == provider,
                error.message.hasPrefix("The picker of \(provider) returned a wrong URL: in "),
                let (rule, _) = words.first(where: { $0.1.contains(where: error.message.contains) })
            else { return "\(error)" }
            return rule
        }
    }

    /// The text by which a rule's error is recognised; rules that hold in every mode come first.
    private static let words: [(String, [String])] = [
        ("X3", ["but the root is a folder", "but it is the document storage itself"]),
        ("C5", ["is neither a file URL nor a docent URL", "but the path is not absolute or contains a NUL"]),
        ("C1", ["in import mode it must be a readable local file"]),
        ("C2", ["in open mode it must be a document inside the document storage"]),
        ("C3", ["in export mode it must be an existing copy of the source"]),
        ("C4", ["in move mode it must be a copy inside the document storage"]),
    ]

    @Test(
        "X3: a path is canonicalised by its text",
        arguments: [
            ("/", "/"), ("/a//b/", "/a/b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../../a", "/a"), ("//", "/"),
        ])
    func normalises(_ path: String, _ expected: String) { #expect(URLRule.normalised(path) == expected) }

    @Test("X3: a relative or invalid path has no canonical form", arguments: ["", "a", "./a", "/a\0b"])
    func refuses(_ path: String) { #expect(URLRule.normalised(path) == nil) }
}
