import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The trash bin of a Nextcloud, imitated, and accounts without a trash.
@Suite(.needs(.daemon, .server)) struct TrashRemoteTests {
    static let top = "webdav@work:"

    static func with(_ body: (Installation, String) async throws -> Void) async throws {
        let script = Repository.servers + "/nextcloud.py"
        let started = try await TestServers.run("/usr/bin/python3", [script, "--parent", "\(getpid())"]).succeeded()
        let url = try #require(TestServers.fields(started.text)["url"])
        try await Installation.with(localFolder: false) { installation in
            for point in ["FileProvider", "Picker"] {
                let name = "\(RemoteInstallation.provider).\(point).plist"
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(installation.manifests)/\(name)")
            }
            try await installation.docent("provider", "enable", RemoteInstallation.provider, "--yes").succeeded()
            try await installation.docent("domains", "add", "webdav", "work", "--url", url).succeeded()
            try await body(installation, url)
        }
    }

    static func write(_ text: String, _ path: String, _ installation: Installation) async throws {
        try await installation.docent("write", top + path, input: Data(text.utf8)).succeeded()
        try await installation.docent("drain").succeeded()
    }

    @Test("O15, O16: what is deleted on a Nextcloud is in its trash bin, and comes back with its rights")
    func nextcloud() async throws {
        try await Self.with { installation, _ in
            try await installation.docent("mkdir", Self.top + "/Folder").succeeded()
            try await Self.write("mine", "/Folder/a.txt", installation)
            let bookmark = try await installation.bookmark(Self.top + "/Folder/a.txt").bookmark
            let removed = try await installation.docent("rm", Self.top + "/Folder/a.txt").succeeded()
            #expect(removed.text.contains("moved to the trash"), "\(removed)")
            let listed = try await TrashLocalTests.entries(installation)
            #expect(listed.map(\.name) == ["a.txt"] && listed[0].originalLocation?.hasSuffix(":/Folder/a.txt") == true)
            try await installation.docent("undo", "--yes").succeeded()
            #expect(try await installation.read(bookmark: bookmark).succeeded().text == "mine")
            #expect(try await TrashLocalTests.entries(installation).isEmpty)

            // Elsewhere, although the server restores only to the former place.
            try await installation.docent("rm", Self.top + "/Folder/a.txt").succeeded()
            try await installation.docent(
                "trash", "restore", Self.top + "/Folder/a.txt", "--to", Self.top + "/b.txt"
            ).succeeded()
            #expect(try await installation.docent("cat", Self.top + "/b.txt").succeeded().text == "mine")

            // For good: nothing is left in the bin.
            try await installation.docent("rm", "--permanently", Self.top + "/b.txt").succeeded()
            #expect(try await TrashLocalTests.entries(installation).isEmpty)
        }
    }

    @Test("O15: nothing that has the former name is replaced on a Nextcloud")
    func collision() async throws {
        try await Self.with { installation, _ in
            try await Self.write("old", "/a.txt", installation)
            try await installation.docent("rm", Self.top + "/a.txt").succeeded()
            try await Self.write("new", "/a.txt", installation)
            #expect(try await installation.docent("undo", "--yes").status == 6)
            #expect(try await installation.docent("trash", "restore", Self.top + "/a.txt").status == 6)
            #expect(try await installation.docent("cat", Self.top + "/a.txt").succeeded().text == "new")
            #expect(try await TrashLocalTests.entries(installation).count == 1)
        }
    }

    @Test("O15: without a trash bin a deletion is for good, and says so")
    func withoutTrash() async throws {
        try await Self.with { installation, url in
            let control = url.replacing(/\/remote\.php.*/, with: "/control/trash")
            try await TestServers.run("/usr/bin/curl", ["-sS", "-f", "-X", "POST", "-d", "off", control]).succeeded()
            try await Self.write("mine", "/a.txt", installation)
            let removed = try await installation.docent("rm", Self.top + "/a.txt").succeeded()
            #expect(removed.text.hasSuffix("deleted for good\n"), "\(removed)")
            #expect(try await installation.docent("trash", "list", "webdav@work").status == 1)
            #expect(try await installation.docent("undo", "--yes").status == 6)
        }
    }
}
