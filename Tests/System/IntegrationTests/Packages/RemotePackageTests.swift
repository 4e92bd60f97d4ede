import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing

/// Packages on WebDAV servers: published here as a whole, sent element by element (N3).
@Suite(.needs(.daemon, .server)) struct RemotePackageTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one", "Assets/2.png": "two"]

    static func put(_ name: String, _ content: [String: String], _ server: WebDAVServer) async throws {
        var made: Set<String> = []
        for path in ([""] + content.keys.sorted()).map({ name + "/" + $0 }) {
            let folders = path.split(separator: "/").dropLast(path.hasSuffix("/") ? 0 : 1)
            for count in 1..<folders.count + 1 {
                let folder = folders.prefix(count).joined(separator: "/")
                if made.insert(folder).inserted { _ = try await server.request("MKCOL", folder + "/") }
            }
        }
        for (path, text) in content { try await server.put(text, name + "/" + path) }
    }

    static func open(
        _ name: String, _ remote: RemoteInstallation, client: DocumentsClient
    ) async throws -> TestPackage {
        try await TestPackage.open(
            DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/" + name),
            client: client)
    }

    static func content(_ name: String, _ paths: [String], _ server: WebDAVServer) async throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in paths {
            let reply = try await server.request("GET", name + "/" + path)
            if reply.status == 200 { texts[path] = reply.text }
        }
        return texts
    }

    @Test(
        "N3: only changed elements are sent, to every server", arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func sendsChanges(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await Self.put("Note.rtfd", Self.content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await Self.open("Note.rtfd", remote, client: client)
            #expect(try await package.read() == Self.content)
            try await package.save([
                "TXT.rtf": "new text", "Assets/2.png": nil as String?, "more/deep/3.txt": "three", "4.txt": "four",
            ])
            // Available locally at once.
            let expected = [
                "TXT.rtf": "new text", "Assets/1.png": "one", "more/deep/3.txt": "three", "4.txt": "four",
            ]
            #expect(try await remote.drain().status == 0)
            try await remote.installation.eventually("everything is there: \(remote.installation.leftovers)") {
                remote.installation.leftovers.isEmpty
            }
            #expect(try await package.read() == expected)
            let paths = Array(expected.keys) + ["Assets/2.png"]
            #expect(try await Self.content("Note.rtfd", paths, remote.server) == expected)
            if kind == .apache {
                // New elements are sent to a hidden folder, which replaces the package as a whole.
                #expect(try await remote.arrivals(of: "Note.rtfd/") == 1)
                #expect(try await remote.arrivals(of: "TXT.rtf") == 0)
                let sent = try await remote.proxy?.requests("PUT").count
                #expect(sent == 3)
            }
            client.close()
        }
    }

    @Test("N3, HAZARDS 5: both sides of an element changed elsewhere are kept; the other elements are saved")
    func conflictOfElement() async throws {
        try await RemoteInstallation.with { server in
            try await Self.put("Note.rtfd", Self.content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await Self.open("Note.rtfd", remote, client: client)
            #expect(try await package.read() == Self.content)
            try await remote.faults().refuse()
            try await package.save(["TXT.rtf": "mine", "Assets/1.png": "mine too", "Assets/2.png": nil as String?])
            try await remote.server.put("theirs", "Note.rtfd/TXT.rtf")
            try await remote.server.put("theirs", "Note.rtfd/Assets/2.png")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            try await remote.installation.eventually("nothing is left: \(remote.installation.leftovers)", within: 60) {
                remote.installation.leftovers.isEmpty
            }
            let expected = ["TXT.rtf": "theirs", "Assets/1.png": "mine too", "Assets/2.png": "theirs"]
            #expect(try await Self.content("Note.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await package.read() == expected)
            let version = try #require(try await remote.versions().first)
            #expect(version.reason == "conflict" && version.name == "TXT.rtf")
            // Its owner sees a conflict of the package.
            #expect(try await client.document(package.reference).item().conflicts == 1)
            #expect(try await remote.docent("versions", "show", version.identifier).succeeded().text == "mine")
            client.close()
        }
    }

    @Test(
        "Law 6: saves of a package while the server is unreachable are kept, readable, and sent later, also after a restart"
    )
    func offline() async throws {
        try await RemoteInstallation.with { server in
            try await Self.put("Note.rtfd", Self.content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await Self.open("Note.rtfd", remote, client: client)
            #expect(try await package.read() == Self.content)
            try await remote.faults().refuse()
            for number in 1...3 {
                try await package.save(["TXT.rtf": "text \(number)", "new.txt": "new \(number)"])
                let texts = try await package.read()
                #expect(texts["TXT.rtf"] == "text \(number)" && texts["new.txt"] == "new \(number)")
            }
            client.close()
            try await remote.killDaemon()
            try await remote.faults().accept()
            try await remote.settle()
            let expected = Self.content.merging(["TXT.rtf": "text 3", "new.txt": "new 3"]) { _, new in new }
            #expect(try await Self.content("Note.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test(
        "W: after kill -9 of the daemon at each step a package arrives completely or not at all",
        arguments: Sample.shared.of(WriteStep.allCases.filter { ![.opened, .frozen, .durable].contains($0) }))
    func kills(step: WriteStep) async throws {
        let new = ["TXT.rtf": "new text", "Assets/1.png": "new one", "x/y.txt": "new y"]
        try await RemoteInstallation.with(options: .init(environment: ["DOCENT_RESUME_SECONDS": "0"])) { server in
            try await Self.put("p.rtfd", Self.content, server)
        } _: { remote in
            let installation = remote.installation
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step.rawValue)
            let client = installation.passiveClient()
            let package = try await Self.open("p.rtfd", remote, client: client)
            let session = try await package.begin()
            try await TestPackage.stage(
                new.mapValues { $0 as String? }.merging(["Assets/2.png": nil]) { _, new in new }, session)
            _ = try? await session.commit()
            try await installation.waitForEnd(of: daemon)
            client.close()
            _ = try await installation.readyDaemon()
            try await remote.settle()
            let paths = Array(Set(new.keys).union(Self.content.keys))
            let wanted = step.isCommitted ? new : Self.content
            try await installation.eventually("everything is there", within: 90) {
                try await Self.content("p.rtfd", paths, remote.server) == wanted && installation.leftovers.isEmpty
            }
            let state = try await installation.client().outcome(of: session.operation).state
            #expect(state == (step.isCommitted ? .finished : .failed))
            // W0: staged elements are neither published nor dropped.
            #expect(try await remote.versions().map(\.reason) == (step.isCommitted ? [] : ["recovered"]))
        }
    }
}
