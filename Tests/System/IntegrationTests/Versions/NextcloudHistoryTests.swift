import DocentTestSupport
import Foundation
import Testing

/// The versions that a Nextcloud, imitated, keeps of its documents, with the commands.
@Suite(.needs(.daemon, .server)) struct NextcloudHistoryTests {
    private struct Version: Decodable {
        let version: String
        let isCurrent: Bool
        let isAtProvider: Bool
        let hasLocalContents: Bool
        let savedByPerson: String?
        let size: Int?
    }

    private static let document = TrashRemoteTests.top + "/a.txt"

    private static func control(_ url: String, _ what: String, _ value: String) async throws {
        let address = url.replacing(/\/remote\.php.*/, with: "/control/\(what)")
        try await TestServers.run("/usr/bin/curl", ["-sS", "-f", "-X", "POST", "-d", value, address]).succeeded()
    }

    /// Changes the document elsewhere, a while later.
    private static func change(_ text: String, _ url: String) async throws {
        try await control(url, "tick", "60")
        try await TestServers.run("/usr/bin/curl", ["-sS", "-f", "-X", "PUT", "-d", text, url + "a.txt"]).succeeded()
    }

    private static func history(_ installation: Installation) async throws -> [Version] {
        let listed = try await installation.docent("history", "--json", document).succeeded()
        return try JSONDecoder().decode([Version].self, from: Data(listed.text.utf8))
    }

    @Test("V9: docent history, show, diff and restore use the versions of a Nextcloud")
    func nextcloud() async throws {
        try await TrashRemoteTests.with { installation, url in
            try await TrashRemoteTests.write("first\n", "/a.txt", installation)
            try await Self.change("second", url)
            try await Self.change("third\n", url)
            try await installation.docent("refresh", TrashRemoteTests.top + "/").succeeded()
            let listed = try await Self.history(installation)
            #expect(listed.count == 3 && listed[0].isCurrent)
            #expect(listed.dropFirst().allSatisfy { $0.isAtProvider && $0.savedByPerson == "anna" })
            let first = try #require(listed.last)
            #expect(first.size == 6)
            let text = try await installation.docent("history", Self.document).succeeded().text
            #expect(text.contains("anna") && text.contains("at the service"), "\(text)")
            let second = String(listed[1].version.prefix(10))
            let shown = try await installation.docent("show", Self.document, "--version", second).succeeded()
            #expect(shown.text == "second")
            let differs = try await installation.docent("diff", Self.document, first.version).succeeded()
            #expect(differs.text.contains("-first") && differs.text.contains("+third"), "\(differs)")
            try await installation.docent("restore", Self.document, "--version", first.version).succeeded()
            try await installation.docent("drain").succeeded()
            #expect(try await installation.docent("cat", Self.document).succeeded().text == "first\n")
            let stored = try await TestServers.run("/usr/bin/curl", ["-sS", "-f", url + "a.txt"]).succeeded()
            #expect(stored.text == "first\n")
            try await installation.docent("undo", "--yes").succeeded()
            #expect(try await installation.docent("cat", Self.document).succeeded().text == "third\n")
        }
    }

    @Test("V9: a version that the server has thrown away is not found; without versions the history is what is here")
    func gone() async throws {
        try await TrashRemoteTests.with { installation, url in
            try await TrashRemoteTests.write("first\n", "/a.txt", installation)
            try await Self.change("second", url)
            try await installation.docent("refresh", TrashRemoteTests.top + "/").succeeded()
            let old = try #require(try await Self.history(installation).last { !$0.isCurrent })
            try await Self.control(url, "versions", "thin")
            // What was here may still be kept here.
            if !old.hasLocalContents {
                let shown = try await installation.docent("show", Self.document, "--version", old.version)
                #expect(shown.status == 2, "\(shown)")
            }
            try await Self.control(url, "versions", "off")
            let left = try await installation.docent("history", "--json", Self.document).succeeded()
            #expect(left.errors.isEmpty, "\(left)")
            let versions = try JSONDecoder().decode([Version].self, from: Data(left.text.utf8))
            #expect(versions.allSatisfy { !$0.isAtProvider } && versions.first?.isCurrent == true)
        }
    }
}
