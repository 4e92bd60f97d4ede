import DocentInterfaces
import DocentTestSupport
import Documents
import Glibc
import Testing
import Varlink

/// Write sessions survive a restart of the daemon, identified by their operation (D3).
@Suite(.needs(.daemon)) struct WriteResumeTests {
    private static let old = Installation.content("old")
    private static let new = Installation.content("new")

    /// Begins a write with a client that starts no daemon.
    private static func begin(
        _ installation: Installation
    ) async throws -> (client: DocumentsClient, document: SecurityScopedDocument, session: WriteSession) {
        let client = installation.passiveClient()
        let document = try await DocumentPicker(client: client).openDocument(
            at: .init(provider: "LocalFolder", path: "/a.txt"))
        return (client, document, try await document.beginWriting(replacing: true))
    }

    private static func commit(_ client: DocumentsClient, _ operation: String) async throws -> Wire.Item {
        try await client.call(DocumentsInterface.CommitWrite.self, .init(operation: operation)).value.item
    }

    private static func prepare(_ installation: Installation) async throws {
        try installation.write(old, to: "a.txt")
        try await installation.stopDaemon()
    }

    private static func expectSaved(_ installation: Installation, _ text: String) async throws {
        #expect(installation.read(installation.documents + "/a.txt") == text)
        #expect(installation.versions.isEmpty)
        #expect(installation.documentNames == ["a.txt"])
        try await installation.eventually("nothing is left: \(installation.leftovers)") {
            installation.leftovers.isEmpty
        }
    }

    @Test(
        "D3: a commit is repeated by the next daemon if the daemon was killed before the commit point",
        arguments: Sample.shared.of(["frozen", "durable", "linked"]))
    func killedInCommit(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let begun = try await Self.begin(installation)
            try writeAll(Self.new, to: begun.session.descriptor)
            await #expect(throws: DocumentsError.self) { try await begun.session.commit() }
            try await installation.waitForEnd(of: daemon)
            let next = try await installation.readyDaemon()
            let later = installation.passiveClient()
            #expect(try await later.outcome(of: begun.session.operation).state != .failed)
            #expect(try await Self.commit(later, begun.session.operation).name == "a.txt")
            try await Self.expectSaved(installation, Self.new)
            // Asked again, it returns the same.
            #expect(try await Self.commit(later, begun.session.operation).name == "a.txt")
            #expect(try await later.outcome(of: begun.session.operation).state == .finished)
            try await installation.killDaemon(next)
        }
    }

    @Test(
        "D3: a client keeps writing to its descriptor while the daemon is down, and commits with the next one")
    func killedBetween() async throws {
        try await Installation.withLocalFolder { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon()
            let begun = try await Self.begin(installation)
            try writeAll(Self.new, to: begun.session.descriptor)
            try await installation.killDaemon(daemon)
            try writeAll("more\n", to: begun.session.descriptor)
            let next = try await installation.readyDaemon()
            try writeAll("and more\n", to: begun.session.descriptor)
            let later = installation.passiveClient()
            _ = try await Self.commit(later, begun.session.operation)
            try await Self.expectSaved(installation, Self.new + "more\nand more\n")
            // A descriptor kept after the commit no longer changes anything (W0).
            try writeAll("too late", to: begun.session.descriptor)
            #expect(installation.read(installation.documents + "/a.txt") == Self.new + "more\nand more\n")
            try await installation.killDaemon(next)
        }
    }

    @Test("D3: BeginWrite interrupted before its reply begins with the same content when repeated")
    func killedInBegin() async throws {
        try await Installation.withLocalFolder { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon(crashAfter: "opened")
            let client = installation.passiveClient()
            let document = try await DocumentPicker(client: client).openDocument(
                at: .init(provider: "LocalFolder", path: "/a.txt"))
            let reference = Wire.ItemReference(
                provider: document.reference.provider, domain: document.reference.domain,
                identifier: document.reference.identifier)
            let call = DocumentsInterface.BeginWrite.Parameters(
                reference: reference, replacing: false, operation: "again")
            await #expect(throws: DocumentsError.self) {
                _ = try await client.call(DocumentsInterface.BeginWrite.self, call)
            }
            try await installation.waitForEnd(of: daemon)
            let next = try await installation.readyDaemon()
            let later = installation.passiveClient()
            let reply = try await later.call(DocumentsInterface.BeginWrite.self, call)
            let descriptor = try reply.descriptors.take(reply.value.file).release()
            defer { close(descriptor) }
            #expect(lseek(descriptor, 0, SEEK_END) == Self.old.utf8.count)
            try writeAll("more\n", to: descriptor)
            _ = try await Self.commit(later, "again")
            try await Self.expectSaved(installation, Self.old + "more\n")
            try await installation.killDaemon(next)
        }
    }
}
