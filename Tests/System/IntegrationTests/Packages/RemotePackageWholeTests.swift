import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Packages on WebDAV servers arrive as a whole: a reader on the server sees the old or the new one (M4, N3).
@Suite(.needs(.daemon, .server)) struct RemotePackageWholeTests {
    private static let content = ["TXT.rtf": "0", "Assets/1.png": "0", "Assets/2.png": "stays"]
    private static let large = String(repeating: "large ", count: 50_000)

    @Test("N3: a renamed element is moved on the server, and its content is not sent")
    func moves() async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", ["a.txt": "a", "Assets/big.bin": Self.large], server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            #expect(try await package.read()["Assets/big.bin"] == Self.large)
            let session = try await package.begin()
            try await session.keep(elementAt: "Assets/big.bin", at: "Other/renamed.bin")
            try await session.remove(at: "Assets/big.bin")
            try await session.write(Data("new".utf8), at: "a.txt")
            try await session.commit()
            #expect(try await remote.drain().status == 0)
            try await remote.installation.eventually(
                "everything is there: \(remote.installation.leftovers)", within: 60
            ) {
                remote.installation.leftovers.isEmpty
            }
            let expected = ["a.txt": "new", "Other/renamed.bin": Self.large]
            #expect(
                try await RemotePackageTests.content(
                    "p.rtfd", ["a.txt", "Other/renamed.bin", "Assets/big.bin"], remote.server) == expected)
            #expect(try await package.read() == expected)
            let sent = try #require(try await remote.proxy?.requests("PUT"))
            #expect(sent.count == 1)
            #expect(sent.reduce(0) { $0 + $1.requestBytes } < 1_000)
            client.close()
        }
    }

    @Test("N3: saves of a package build on each other, also for elements that the previous save only copied")
    func savesInTurn() async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", Self.content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            #expect(try await package.read() == Self.content)
            for round in 1...3 {
                try await package.save(["TXT.rtf": "\(round)"])
                // The second without waiting for the first to arrive.
                try await package.save(["Assets/1.png": "\(round)"])
                #expect(try await remote.drain().status == 0)
            }
            try await remote.installation.eventually(
                "everything is there: \(remote.installation.leftovers)", within: 60
            ) {
                remote.installation.leftovers.isEmpty
            }
            let expected = ["TXT.rtf": "3", "Assets/1.png": "3", "Assets/2.png": "stays"]
            #expect(try await RemotePackageTests.content("p.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await package.read() == expected)
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.server.list() == ["p.rtfd"])
            client.close()
        }
    }

    @Test("M4, law 6: a reader on the server sees a complete save while packages are saved and daemons killed")
    func neverMixed() async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", Self.content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            #expect(try await package.read() == Self.content)
            let server = remote.server
            // A listing returns all ETags of one moment: two equal listings around the reads mean that nothing changed
            // in between.
            let watcher = Task { () -> (seen: Set<String>, mixed: [String]) in
                var seen: Set<String> = []
                var mixed: [String] = []
                while !Task.isCancelled {
                    let before = try? await Self.etags(server)
                    guard let text = try? await server.text("p.rtfd/TXT.rtf"),
                        let picture = try? await server.text("p.rtfd/Assets/1.png"),
                        let after = try? await Self.etags(server), before == after
                    else { continue }
                    seen.insert(text)
                    if text != picture { mixed.append("\(text) and \(picture)") }
                }
                return (seen, mixed)
            }
            for round in 1...6 {
                try await package.save(["TXT.rtf": "\(round)", "Assets/1.png": "\(round)"])
                if round % 2 == 0 { try await remote.killDaemon() }
                #expect(try await remote.drain().status == 0)
            }
            try await remote.installation.eventually(
                "everything is there: \(remote.installation.leftovers)", within: 90
            ) {
                remote.installation.leftovers.isEmpty
            }
            watcher.cancel()
            let result = await watcher.value
            #expect(result.mixed.isEmpty)
            #expect(!result.seen.isEmpty)
            let expected = ["TXT.rtf": "6", "Assets/1.png": "6", "Assets/2.png": "stays"]
            #expect(try await RemotePackageTests.content("p.rtfd", Array(expected.keys), server) == expected)
            #expect(try await remote.versions().isEmpty)
            client.close()
        }
    }

    private static func etags(_ server: WebDAVServer) async throws -> [String] {
        var found: [String] = []
        for path in ["p.rtfd/TXT.rtf", "p.rtfd/Assets/1.png"] {
            let reply = try await server.request("HEAD", path)
            guard reply.status == 200 else { throw Problem("the package is missing for a moment") }
            found.append(reply.headers["etag"] ?? "")
        }
        return found
    }

    @Test(
        "C1, C3: a package is exported to a server and imported from it completely",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func copies(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { _ in
        } _: { remote in
            let source = remote.installation.home + "/Note.rtfd"
            for (path, text) in Self.content {
                let file = URL(fileURLWithPath: source + "/" + path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try await remote.docent("export", source, remote.location("")).succeeded()
            #expect(try await remote.drain().status == 0)
            try await remote.installation.eventually(
                "everything is there: \(remote.installation.leftovers)", within: 60
            ) {
                remote.installation.leftovers.isEmpty
            }
            #expect(
                try await RemotePackageTests.content("Note.rtfd", Array(Self.content.keys), remote.server)
                    == Self.content)
            let target = remote.installation.home + "/copy.rtfd"
            try await remote.docent("import", remote.location("Note.rtfd"), "-o", target).succeeded()
            #expect(Installation.files(below: target) == Self.content)
            let taken = try await remote.docent("export", source, remote.location(""))
            #expect(taken.status != 0 && taken.errors.contains("already"))
        }
    }
}
