import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The versions of packages, through the real daemon, the SDK and the command line.
@Suite(.needs(.daemon)) struct PackageHistoryTests {
    private static let old = ["TXT.rtf": "old", "Assets/1.png": "one"]
    private static let location = "LocalFolder:/p.rtfd"

    /// The texts in every version that is a package, the newest first; not the current one.
    static func kept(_ package: TestPackage) async throws -> [[String: String]] {
        var result: [[String: String]] = []
        let versions = try await FileVersion.otherVersions(of: package.client.document(package.reference))
        for version in versions where version.isPackage {
            var texts: [String: String] = [:]
            for element in try await version.elements() where !element.isFolder {
                let file = FileHandle(
                    fileDescriptor: try await version.openForReading(element), closeOnDealloc: true)
                texts[element.path] = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            }
            result.append(texts)
        }
        return result
    }

    @Test("V1, V4, V7: a replaced package is listed, compared, copied and restored as a whole")
    func localFolder() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("p.rtfd", Self.old)
            let client = installation.client()
            let package = try await installation.openPackage("p.rtfd", client: client)
            try await package.save(["TXT.rtf": "new", "Assets/1.png": nil as String?, "Assets/2.png": "two"])
            let versions = try await HistoryTests.history(installation, Self.location)
            #expect(versions.map(\.reason) == [nil, "superseded"] && versions.map(\.size) == [nil, 6])
            #expect(versions.first?.savedBy == "org.docent.tests")
            let version = try #require(versions.last?.version)
            #expect(try await Self.kept(package) == [Self.old])

            let diff = try await installation.docent("diff", Self.location, version).succeeded().text
            let lines = diff.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(
                lines.dropFirst().map { [$0.first, $0.last] } == [
                    ["removed", "Assets/1.png"], ["added", "Assets/2.png"], ["changed", "TXT.rtf"],
                ], "\(diff)")
            #expect(try await installation.docent("diff", Self.location, version, version).succeeded().text.isEmpty)
            for command in [["show", Self.location, "--version", version], ["versions", "show", version]] {
                let refused = try await installation.run(Installation.binaries + "/docent", command)
                #expect(refused.status != 0 && refused.errors.contains("docent restore"), "\(refused.errors)")
            }

            try await installation.docent(
                "restore", Self.location, "--version", version, "--to", "LocalFolder:/copy.rtfd"
            ).succeeded()
            #expect(installation.package("copy.rtfd") == Self.old)
            let new = ["TXT.rtf": "new", "Assets/2.png": "two"]
            #expect(installation.package("p.rtfd") == new)
            try await installation.docent("restore", Self.location, "--version", version).succeeded()
            #expect(installation.package("p.rtfd") == Self.old)
            #expect(try await Self.kept(package) == [new, Self.old])

            // They survive a restart, and the user removes them.
            client.close()
            try await installation.stopDaemon()
            let later = try await HistoryTests.history(installation, Self.location)
            #expect(later.map(\.reason) == [nil, "replaced", "superseded"])
            for version in later.dropFirst() {
                try await installation.docent("versions", "remove", "--yes", version.version).succeeded()
            }
            #expect(installation.replacedContents.isEmpty)
            #expect(try await HistoryTests.history(installation, Self.location).count == 1)
        }
    }

    @Test("O16, V7: what a program did to a package is taken back by one command")
    func takenBack() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("p.rtfd", Self.old)
            let client = installation.client()
            let package = try await installation.openPackage("p.rtfd", client: client)
            try await package.save(["TXT.rtf": "first"])
            try await package.save(["TXT.rtf": "other", "more.txt": "more"])
            client.close()
            let done = try await installation.docent(
                "restore", "--before", "1h", "--client", "org.docent.tests", "--yes"
            ).succeeded()
            #expect(done.text.split(separator: "\n").count == 2, "\(done.text)")
            #expect(installation.package("p.rtfd") == Self.old)
        }
    }

    @Test("V3: nothing of a package is kept where the user has said so, and nothing for a save that changes nothing")
    func nothing() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("p.rtfd", Self.old)
            let client = installation.client()
            let package = try await installation.openPackage("p.rtfd", client: client)
            try await package.save(["TXT.rtf": "old"])
            #expect(installation.replacedContents.isEmpty)
            try await installation.docent("versions", "keep", "--off", Self.location).succeeded()
            try await package.save(["TXT.rtf": "new"])
            #expect(installation.replacedContents.isEmpty)
            #expect(try await HistoryTests.history(installation, Self.location).count == 1)
            client.close()
        }
    }
}
