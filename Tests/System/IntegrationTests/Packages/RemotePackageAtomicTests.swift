import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing

/// The visible state of a server while packages are created and changed on it, also with kill -9: nothing of a save, or
/// all of it (W, M4).
@Suite(.needs(.daemon, .server)) struct RemotePackageAtomicTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one"]

    private static func settled(_ remote: RemoteInstallation) async throws {
        #expect(try await remote.drain().status == 0)
        try await remote.installation.eventually("everything is there: \(remote.installation.leftovers)", within: 90) {
            remote.installation.leftovers.isEmpty
        }
    }

    // The folders that were created in visible places.
    private static func visibleFolders(_ remote: RemoteInstallation) async throws -> [String] {
        try await remote.faults().requests("MKCOL").map(\.path).filter { !$0.contains(".docent-upload-") }
    }

    // A save sends new and changed elements, once (N3).
    private static func sent(_ remote: RemoteInstallation) async throws -> [String] {
        try await remote.faults().requests("PUT").map(\.path)
    }

    private static func create(
        _ content: [String: String], _ remote: RemoteInstallation, client: DocumentsClient
    ) async throws -> (session: PackageWriteSession, item: DocumentItem?) {
        let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/"))
        let session = try await PackageWriteSession.create("new.rtfd", in: folder.reference, client: client)
        for (path, text) in content { try await session.write(Data(text.utf8), at: path) }
        return (session, try? await session.commit())
    }

    @Test("M4: a new package, and a new folder in a package, appear on the server with all contents")
    func appearsWhole() async throws {
        try await RemoteInstallation.with { _ in
        } _: { remote in
            let client = remote.installation.client()
            let item = try #require(try await Self.create(Self.content, remote, client: client).item)
            let package = TestPackage(client: client, reference: item.reference)
            // Available locally at once, without asking the server again.
            #expect(try await package.read() == Self.content)
            try await Self.settled(remote)
            #expect(
                try await RemotePackageTests.content("new.rtfd", Array(Self.content.keys), remote.server)
                    == Self.content)
            #expect(try await Self.sent(remote).count == 2)
            try await package.save(["More/deep/2.png": "two", "TXT.rtf": "other"])
            let expected = ["TXT.rtf": "other", "Assets/1.png": "one", "More/deep/2.png": "two"]
            #expect(try await package.read() == expected)
            try await Self.settled(remote)
            #expect(
                try await RemotePackageTests.content("new.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await package.read() == expected)
            #expect(try await Self.sent(remote).count == 4)
            // It can be saved again.
            try await package.save(["More/deep/2.png": "three"])
            try await Self.settled(remote)
            #expect(try await remote.server.text("new.rtfd/More/deep/2.png") == "three")
            #expect(try await Self.sent(remote).count == 5)
            #expect(try await Self.visibleFolders(remote) == [])
            #expect(try await remote.server.list() == ["new.rtfd"])
            #expect(try await remote.versions().isEmpty)
            client.close()
        }
    }

    @Test(
        "W: after kill -9 of the daemon at each step a new package is on the server completely or not at all",
        arguments: Sample.shared.of([WriteStep.linked, .committed, .sent, .recorded, .uploadRecorded]))
    func creationKilled(step: WriteStep) async throws {
        try await RemoteInstallation.with(options: .init(environment: ["DOCENT_RESUME_SECONDS": "0"])) { _ in
        } _: { remote in
            let installation = remote.installation
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step.rawValue)
            let client = installation.passiveClient()
            let made = try await Self.create(Self.content, remote, client: client)
            try await installation.waitForEnd(of: daemon)
            client.close()
            _ = try await installation.readyDaemon()
            try await remote.settle()
            let wanted = step.isCommitted ? Self.content : [:]
            try await installation.eventually("it has finished: \(installation.leftovers)", within: 90) {
                try await RemotePackageTests.content("new.rtfd", Array(Self.content.keys), remote.server) == wanted
                    && installation.leftovers.isEmpty
            }
            let state = try await installation.client().outcome(of: made.session.operation).state
            #expect(state == (step.isCommitted ? .finished : .failed))
            #expect(try await Self.visibleFolders(remote) == [])
            #expect(try await remote.server.list() == (step.isCommitted ? ["new.rtfd"] : []))
            let sent = try await Self.sent(remote)
            #expect(sent.count == wanted.count, "\(sent)")
        }
    }

    @Test(
        "W: after kill -9 between a server's replacement of a package and its record here, the package is not sent again"
    )
    func killedWhenSent() async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", Self.content, server)
        } _: { remote in
            let installation = remote.installation
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: WriteStep.sent.rawValue)
            let client = installation.passiveClient()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            _ = try? await package.save(["TXT.rtf": "new"])
            try await installation.waitForEnd(of: daemon)
            client.close()
            #expect(try await remote.server.text("p.rtfd/TXT.rtf") == "new")
            _ = try await installation.readyDaemon()
            try await remote.settle()
            try await Self.settled(remote)
            let expected = Self.content.merging(["TXT.rtf": "new"]) { $1 }
            #expect(
                try await RemotePackageTests.content("p.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await remote.proxy?.requests("PUT").count == 1)
            #expect(try await remote.server.list() == ["p.rtfd"])
            #expect(try await remote.versions().isEmpty)
            let later = installation.client()
            #expect(try await RemotePackageTests.open("p.rtfd", remote, client: later).read() == expected)
            later.close()
        }
    }

    @Test("Law 6: a new package is refused while its server is unreachable, and nothing of it is left")
    func offline() async throws {
        try await RemoteInstallation.with { _ in
        } _: { remote in
            let client = remote.installation.client()
            let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                at: DocumentLocation(
                    provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/"))
            let session = try await PackageWriteSession.create("new.rtfd", in: folder.reference, client: client)
            try await session.write(Data("text".utf8), at: "TXT.rtf")
            try await remote.faults().refuse()
            #expect(try await failure { try await session.commit() }.code == .unavailable)
            try await remote.faults().accept()
            #expect(remote.installation.leftovers.isEmpty)
            #expect(try await remote.server.list() == [])
            client.close()
        }
    }
}
