import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import ViewPolicies

@testable import MountedView

/// The file with the user's rules for downloads.
@Suite(.mayBlock) struct DownloadPolicyFileTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.path + "/view-policy.json" }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: folder.url("view-policy.json")) }

    @Test("the file is in the user's configuration")
    func place() {
        #expect(DownloadPolicyFile.path(["HOME": "/home/a"]) == "/home/a/.config/docent/view-policy.json")
        #expect(
            DownloadPolicyFile.path(["HOME": "/home/a", "XDG_CONFIG_HOME": "/c"]) == "/c/docent/view-policy.json")
        #expect(DownloadPolicyFile.path(["HOME": "/", "XDG_CONFIG_HOME": "c"]) == "/.config/docent/view-policy.json")
        #expect(DownloadPolicyFile.path([:]) == nil)
    }

    @Test("rules and limit are read, and unknown fields are ignored")
    func valid() throws {
        #expect(try DownloadPolicyFile.read(path) == nil && (try DownloadPolicyFile.stamp(of: path)) == nil)
        try write(
            """
            {"rules": [{"program": "backup-*", "downloads": "refuse", "since": 1}, {"unit": "a.service",
              "downloads": "allow"}], "documentsPerMinute": 50, "colour": "blue"}
            """)
        let policy = try #require(try DownloadPolicyFile.read(path))
        #expect(policy.own.map(\.subject.text) == ["backup-*", "a.service"] && policy.documentsPerMinute == 50)
        #expect(policy.own.map(\.downloads) == [.refuse, .allow])
        #expect(try DownloadPolicy(json: Array("{}".utf8)) == DownloadPolicy())
        #expect(try DownloadPolicy(json: Array(#"{"documentsPerMinute": "none"}"#.utf8)).documentsPerMinute == nil)
    }

    @Test("what is written is read as it was", arguments: [1, 200, nil] as [Int?])
    func written(limit: Int?) throws {
        var policy = DownloadPolicy(documentsPerMinute: limit)
        policy.set(.refuse, for: try #require(DownloadRule.Subject("ä\"*")))
        policy.set(.allow, for: try #require(DownloadRule.Subject("b.service")))
        #expect(try DownloadPolicy(json: policy.json()) == policy)
    }

    @Test(
        "a file that is not valid is an error that says why",
        arguments: [
            ("", "not valid JSON"), ("[]", "not an object"), ("{\"rules\": 1}", "\"rules\" is of another type"),
            ("{\"rules\": [{\"program\": \"a\"}]}", "\"rules.1.downloads\" is missing"),
            ("{\"rules\": [{\"program\": \"a\", \"downloads\": \"ask\"}]}", "\"rules.1.downloads\" has a value"),
            ("{\"rules\": [{\"downloads\": \"refuse\"}]}", "Rule 1"),
            ("{\"rules\": [{\"program\": \"a\", \"unit\": \"b\", \"downloads\": \"refuse\"}]}", "Rule 1"),
            ("{\"rules\": [{\"program\": \"a/b\", \"downloads\": \"refuse\"}]}", "Rule 1"),
            ("{\"documentsPerMinute\": 0}", "between 1 and"), ("{\"documentsPerMinute\": \"many\"}", "has a value"),
            (String(repeating: " ", count: 65_537), "64 KiB"),
        ])
    func invalid(text: String, reason: String) throws {
        try write(text)
        let error = #expect(throws: DocumentsError.self) { try DownloadPolicyFile.read(path) }
        #expect(error?.code == .failed && error?.suggestion != nil)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("a folder or a pipe in its place is an error, and nobody waits for it")
    func otherKinds() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: DocumentsError.self) { try DownloadPolicyFile.read(path) }
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: DocumentsError.self) { try DownloadPolicyFile.read(path) }
    }

    @Test("a change is noticed, and one that is not valid leaves the rules as they were")
    func watched() throws {
        let start = ContinuousClock.now
        let policy = WatchedPolicy(path)
        #expect(policy.current(at: start) == DownloadPolicy())
        try write(#"{"documentsPerMinute": 7}"#)
        #expect(policy.current(at: start + .milliseconds(900)).documentsPerMinute == DownloadPolicy.standardLimit)
        #expect(policy.current(at: start + .seconds(1)).documentsPerMinute == 7)
        try write("{")
        #expect(policy.current(at: start + .seconds(2)).documentsPerMinute == 7)
        try write(#"{"documentsPerMinute": 12345}"#)
        #expect(policy.current(at: start + .seconds(3)).documentsPerMinute == 12_345)
        try FileManager.default.removeItem(atPath: path)
        #expect(policy.current(at: start + .seconds(4)) == DownloadPolicy())
    }
}
