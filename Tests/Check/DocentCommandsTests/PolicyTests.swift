import ArgumentParser
import CommandConsole
import DocentTestSupport
import Documents
import Foundation
import Testing
import ViewPolicies

@testable import DocentCommands

/// `docent policy`.
@Suite struct PolicyTests {
    private let folder = TemporaryFolder()

    private var environment: [String: String] { ["HOME": folder.path] }

    private static func subject(_ text: String) throws -> DownloadRule.Subject {
        try #require(DownloadRule.Subject(text))
    }

    @Test("rules are stored as a whole, in a folder of the user alone, and removed again")
    func store() throws {
        let store = try PolicyStore(environment)
        #expect(store.path == folder.path + "/.config/docent/view-policy.json")
        #expect(try store.policy() == DownloadPolicy())
        let crawler = try Self.subject("crawler")
        try store.change { $0.set(.refuse, for: crawler) }
        try store.change { $0.documentsPerMinute = nil }
        let policy = try store.policy()
        #expect(policy.own.map(\.subject.text) == ["crawler"] && policy.documentsPerMinute == nil)
        #expect(try folder.names(".config/docent") == ["view-policy.json"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/.config")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try store.reset()
        try store.reset()
        #expect(try store.policy() == DownloadPolicy())
        #expect(try folder.names(".config/docent").isEmpty)
        #expect(throws: DocumentsError.self) { try PolicyStore([:]) }
    }

    @Test("a link to the file stays, and a file that is not valid is not replaced")
    func others() throws {
        try folder.make("elsewhere/a.json", ".config/docent/x")
        let (path, target) = (folder.path + "/.config/docent/view-policy.json", folder.path + "/elsewhere/a.json")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let store = try PolicyStore(environment)
        #expect(throws: DocumentsError.self) { try store.change { $0.documentsPerMinute = 1 } }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "elsewhere/a.json")
        try Data("{}".utf8).write(to: URL(filePath: target))
        try store.change { $0.documentsPerMinute = 1 }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(try DownloadPolicyFile.read(target)?.documentsPerMinute == 1)
    }

    @Test("the list shows whose rules there are and who was refused, and names cannot control a terminal")
    func list() throws {
        var policy = DownloadPolicy()
        policy.set(.allow, for: try Self.subject("borg"))
        let refused = [
            RefusedProgram(
                program: "a\u{1B}b", executable: "/a\u{1B}b", process: 7, rule: "a*", count: 3, last: 1),
            RefusedProgram(program: "cat", executable: "/bin/cat", process: 8, limit: 200, count: 1, last: 2),
        ]
        let text = PolicyText.rules(policy).text + PolicyText.limit(policy) + PolicyText.table(refused).text
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.prefix(2) == ["PROGRAM DOWNLOADS RULE", "borg allow yours"])
        #expect(lines.contains("tumblerd refuse standard") && lines.contains("borg* refuse standard"))
        #expect(lines.contains("Any other program downloads at most 200 documents within a minute."))
        #expect(
            lines.suffix(2) == [
                "a\\x1Bb 7 3 1970-01-01T00:00:01Z the rule a*",
                "cat 8 1 1970-01-01T00:00:02Z more than 200 within a minute",
            ])
        let record = JSONValue(policy: policy, file: "/f", refused: refused).compact
        #expect(record.hasPrefix(#"{"documentsPerMinute": 200, "file": "/f", "refused": [{"count": 3, "#))
        #expect(record.contains(#"{"downloads": "allow", "isOwn": true, "program": "borg", "unit": null}"#))
        #expect(
            record.contains(
                #"{"downloads": "refuse", "isOwn": false, "program": null, "unit": "tumblerd.service"}"#))
    }

    @Test("what a program would get is said with the rule")
    func check() throws {
        var policy = DownloadPolicy(documentsPerMinute: nil)
        policy.set(.allow, for: try Self.subject("borg"))
        for (text, sentence, record) in [
            (
                "borg", "borg downloads as many documents as it opens: your rule borg.\n",
                #"{"documentsPerMinute": null, "downloads": "allow", "name": "borg", "rule": {"downloads": "#
            ), ("tumblerd", "tumblerd downloads nothing: the standard rule tumblerd.\n", #""downloads": "refuse""#),
            ("cp", "cp downloads as many documents as it opens: no rule is about it.\n", #""rule": null}"#),
        ] {
            let verdict = policy.verdict(on: CallingProgram(executable: text))
            let subject = try Self.subject(text)
            #expect(PolicyText.sentence(verdict, policy: policy, on: subject) == sentence)
            #expect(JSONValue(verdict: verdict, policy: policy, on: subject).compact.contains(record))
        }
    }

    @Test("limits and names are parsed")
    func parsing() throws {
        #expect(try PolicyLimitCommand.parse("none") == .unlimited)
        #expect(try PolicyLimitCommand.parse("1000") == .documents(1000))
        for text in ["", "0", "-1", "many", "100001"] {
            #expect(throws: ValidationError.self, "\(text)") { try PolicyLimitCommand.parse(text) }
        }
        let borg = try Self.subject("borg")
        #expect(try PolicyText.parse("/usr/bin/borg") == borg)
        #expect(throws: ValidationError.self) { try PolicyText.parse("a/") }
    }
}
