import Foundation
import Testing

@testable import DocentCommands

/// What is decided before and after a merge tool runs.
@Suite struct MergeTests {
    @Test(
        "A merge tool sees the kind of a document, and nothing else of its name",
        arguments: [
            ("plan.txt", ".txt"), ("a.b.Swift", ".Swift"), ("archive.7z", ".7z"), ("plan", ""), (".profile", ""),
            ("a.", ""), ("a.t xt", ""), ("a.$(touch x)", ""), ("a.tx;t", ""), ("a.\u{e9}", ""), ("x.'", ""),
            ("a.123456789012345678", ""), ("a.txt\n", ""),
        ])
    func suffixes(_ name: String, _ suffix: String) {
        #expect(MergeFolder.suffix(of: name) == suffix)
    }

    @Test(
        "A mark of git at the beginning of a line is found, wherever it lies",
        arguments: [
            ("<<<<<<< mine\n", true), ("text\n<<<<<<< mine\nmore", true), ("text <<<<<<< mine\n", false),
            ("<<<<<<< mine", false), ("<<<<<<< minestrone\n", false), ("", false), ("\n\n<<<<<<< mine\n", true),
        ])
    func marks(_ text: String, _ isMarked: Bool) throws {
        let file = NSTemporaryDirectory() + "docent-mark-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(text.utf8).write(to: URL(filePath: file))
        let opened = try FileHandle(forReadingFrom: URL(filePath: file))
        for step in [1, 2, 7, 13, 64] {
            #expect(try MergeMark.isIn(opened.fileDescriptor, step: step) == isMarked, "\(step)")
        }
    }

    @Test("merge is one of the choices")
    func choice() throws {
        guard case .merge = try ResolveCommand.parse("merge") else {
            Issue.record("merge is a version")
            return
        }
    }
}
