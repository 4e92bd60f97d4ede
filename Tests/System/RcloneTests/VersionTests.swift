import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import Testing

@testable import Rclone

extension RcloneTests {
    /// The versions that a service keeps.
    struct VersionTests {
        private struct Answer: Decodable, Sendable { var result: String? }

        /// A folder in a new bucket that keeps what is replaced.
        private static func versioned() async throws -> Remote {
            let remote = try await Remote(.s3, bucket: "v" + UUID().uuidString.lowercased().prefix(12))
            try await remote.provider.perform("operations/mkdir", on: .root, cannot: "make the bucket")
            let answer = try await remote.provider.session.call(
                "backend/command",
                { ["command": "versioning", "fs": .text($0.root), "arg": .list(["Enabled"])] },
                cannot: "turn versions on", as: Answer.self)
            try #require(answer.result == "Enabled")
            return remote
        }

        private static func versions(_ remote: Remote, _ item: FileProviderItem) async throws -> [EarlierVersion] {
            let page = try await remote.provider.versions(of: item.identifier, page: nil)
            #expect(page.nextPage == nil)
            return page.versions
        }

        private static func text(_ remote: Remote, _ version: String, of item: FileProviderItem) async throws -> String
        {
            let path = remote.storage + "/" + UUID().uuidString
            defer { unlink(path) }
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try await remote.provider.fetchVersion(
                version, of: item.identifier, into: ContentWriter(owning: file), progress: TransferProgress())
            return try String(contentsOfFile: path, encoding: .utf8)
        }

        // Versions of the same second may have the same name.
        private static func pause() async throws { try await Task.sleep(for: .milliseconds(1100)) }

        @Test("V9: a bucket with versions has each earlier content once, delivers it, and makes it current again")
        func history() async throws {
            let remote = try await Self.versioned()
            let folder = try await remote.makeFolder("d [e]")
            var item = try await remote.create("a b.tar.gz", "first", in: folder.identifier)
            _ = try await remote.create("a b.tar", "another", in: folder.identifier)
            let base = item.version
            for text in ["second, longer", "3"] {
                try await Self.pause()
                item = try await remote.modify(item, text, base: item.version).item
            }
            let found = try await Self.versions(remote, item)
            try #require(found.count == 2, "\(found)")
            #expect(found.map(\.size) == [14, 5] && found[1].version == base && found[0].version != item.version)
            let now = Date.now.timeIntervalSince1970
            #expect(found.allSatisfy { abs(($0.modificationDate ?? 0) - now) < 3600 })
            #expect(try await Self.text(remote, found[0].identifier, of: item) == "second, longer")
            #expect(try await Self.text(remote, found[1].identifier, of: item) == "first")

            try await Self.pause()
            let (oldest, provider) = (found[1].identifier, remote.provider)
            #expect(
                try await code {
                    _ = try await provider.restoreVersion(
                        oldest, of: item.identifier, baseVersion: base, operation: Remote.operation())
                } == .versionOutOfDate)
            let restored = try await provider.restoreVersion(
                oldest, of: item.identifier, baseVersion: item.version, operation: Remote.operation())
            #expect(restored.identifier == item.identifier && restored.version == base)
            #expect(try await remote.text(item.identifier) == "first")
            #expect(try await Self.versions(remote, item).contains { $0.version == item.version })
            #expect(Set(try await remote.names(in: folder.identifier)) == ["a b.tar.gz", "a b.tar"])
        }

        @Test("V9: what is not a version of the document is neither delivered nor made current")
        func refused() async throws {
            let remote = try await Self.versioned()
            let item = try await remote.create("a.txt", "one")
            // A document of its own, whose name looks like that of a version.
            _ = try await remote.create("a-v2020-01-01-000000-000.txt", "other")
            #expect(try await Self.versions(remote, item).isEmpty)
            for name in [
                "2020-01-01-000000-000.4", "2021-01-01-000000-000.4", "../a.4", "", "2020-01-01-000000-000.99",
            ] {
                #expect(try await code { _ = try await Self.text(remote, name, of: item) } == .noSuchItem, "\(name)")
                #expect(
                    try await code {
                        _ = try await remote.provider.restoreVersion(
                            name, of: item.identifier, baseVersion: nil, operation: Remote.operation())
                    } == .noSuchItem, "\(name)")
            }
            #expect(try await remote.text(item.identifier) == "one")
            let missing = ItemIdentifier("/no.txt")
            #expect(
                try await code { _ = try await remote.provider.versions(of: missing, page: nil) } == .noSuchItem)
        }

        @Test("V9: a bucket without versions has an empty history")
        func unversioned() async throws {
            let remote = try await Remote(.s3)
            let item = try await remote.create("a.txt", "one")
            let changed = try await remote.modify(item, "two", base: item.version).item
            #expect(try await Self.versions(remote, changed).isEmpty)
        }

        @Test(
            "V9: documents on other back ends have no history",
            arguments: Sample.shared.of([BackEnd.local, .memory, .webdav, .crypt]))
        func other(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("a.txt", "one")
            #expect(
                try await code { _ = try await remote.provider.versions(of: item.identifier, page: nil) }
                    == .notSupported)
        }

        @Test("V9: a version is found in the name that rclone shows, wherever the extension begins")
        func names() throws {
            let moment = "2026-11-29-162022-123"
            for (shown, name, rest) in [
                ("a-v\(moment).txt", "a.txt", 4), ("x.tar-v\(moment).gz", "x.tar.gz", 3),
                ("x-v\(moment).tar.gz", "x.tar.gz", 7), ("plain-v\(moment)", "plain", 0),
                ("-v\(moment).profile", ".profile", 8), ("ü-v\(moment).ö", "ü.ö", 3),
            ] {
                let version = try #require(ObjectVersionName(in: shown.utf8, of: name.utf8), "\(shown)")
                #expect(version.moment == moment && version.rest == rest)
                #expect(ObjectVersionName(identifier: version.identifier) == version)
                #expect(version.name(of: Array(name.utf8)) == Array(shown.utf8))
                #expect(version.date == 1_795_969_222.123)
            }
            for (shown, name) in [
                ("a-v\(moment).txt", "b.txt"), ("a-v\(moment).txt", "a.txu"), ("a.txt", "a.txt"),
                ("a-v2026-11-29-16202x-123.txt", "a.txt"), ("a_v\(moment).txt", "a.txt"), ("", ""),
            ] { #expect(ObjectVersionName(in: shown.utf8, of: name.utf8) == nil, "\(shown)") }
            for text in ["", ".", "\(moment)", "\(moment).", "\(moment).+1", "\(moment).01", "\(moment).1.2", "x.1"] {
                #expect(ObjectVersionName(identifier: text) == nil, "\(text)")
            }
            #expect(ObjectVersionName(identifier: "\(moment).6")?.name(of: Array("a.txt".utf8)) == nil)
            let undated = try #require(ObjectVersionName(identifier: "2026-99-99-999999-999.0"))
            #expect(undated.date == nil)
        }

        @Test("V9: only remotes that name an object store have a history, and not those that show versions anyway")
        func remotes() {
            var configuration = RemoteConfiguration()
            configuration.sections = [
                "store": ["type": "s3"], "back": ["type": "b2"], "dav": ["type": "webdav"],
                "all": ["type": "s3", "versions": "true"], "then": ["type": "s3", "version_at": "2026-01-01"],
                "over": ["type": "crypt", "remote": "store:x"], "none": ["type": "s3", "versions": "false"],
            ]
            #expect(configuration.history(of: "store:b/a c", "d1-") == "d1-store,versions=true:b/a c")
            #expect(configuration.history(of: "back:", "d1-") == "d1-back,versions=true:")
            #expect(configuration.history(of: "none:x", "d1-") == "d1-none,versions=true:x")
            for root in ["dav:x", "all:x", "then:x", "over:x", "other:x", "/tmp/x", ":s3:x", ""] {
                #expect(configuration.history(of: root, "d1-") == nil, "\(root)")
            }
        }
    }
}
