import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// The claims and presenters of a confined client, and what it learns about others' (law 2, S4, T4).
@Suite(.needs(.daemon)) struct ConfinedCoordinationTests {
    private final class Quiet: FilePresenter {
        let presentedItem: DocumentPlace?
        init(_ reference: DocumentReference) { presentedItem = DocumentPlace(reference) }
    }

    /// Grants documents to a client, which is confined from then on.
    private static func with(
        _ accesses: [String: AccessMode], _ identifier: String = "org.example.Boxed",
        _ body: (Installation, DocumentsClient, [String: DocumentReference]) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["read.txt", "write.txt", "other.txt"] { try installation.write(name, to: name) }
            var references: [String: DocumentReference] = [:]
            let client = installation.client(identifier)
            let other = installation.client("org.example.Other")
            for name in ["read.txt", "write.txt", "other.txt"] {
                let access = accesses[name]
                references[name] = try await DocumentPicker(client: access == nil ? other : client).openDocument(
                    at: DocumentLocation(provider: "LocalFolder", path: "/" + name), access: access ?? .read
                ).reference
            }
            client.close()
            other.close()
            try await installation.stopDaemon()
            // Nobody can choose for a confined client from outside yet, so the right is written to the daemon's
            // database.
            let program = """
                import sqlite3, sys
                base = sqlite3.connect(sys.argv[1])
                base.execute("UPDATE grants SET principal_kind = 'run' WHERE principal_id = ?", [sys.argv[2]])
                base.commit()
                """
            try await installation.run(
                "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite", identifier]
            ).succeeded()
            try await IsolationTests.withConfinedClient(installation, identifier) { confined in
                try await body(installation, confined, references)
            }
        }
    }

    @Test("Law 2: claims and presenters need the right to their document, like any other access")
    func rights() async throws {
        try await Self.with(["read.txt": .read, "write.txt": .readWrite]) { _, confined, references in
            let read = try #require(references["read.txt"])
            let write = try #require(references["write.txt"])
            let other = try #require(references["other.txt"])
            let text = try await FileCoordinator(client: confined).coordinate(readingItemAt: read) { access in
                String(
                    decoding: try FileHandle(fileDescriptor: access.descriptor, closeOnDealloc: false).readToEnd()
                        ?? Data(), as: UTF8.self)
            }
            #expect(text == "read.txt")
            try await FileCoordinator(client: confined).coordinate(writingItemAt: write) { _ in }
            let refused: [(String, () async throws -> Void)] = [
                ("writing", { try await FileCoordinator(client: confined).coordinate(writingItemAt: read) { _ in } }),
                ("reading", { try await FileCoordinator(client: confined).coordinate(readingItemAt: other) { _ in } }),
                (
                    "metadata",
                    {
                        try await FileCoordinator(client: confined).coordinate(
                            readingItemAt: other, options: .immediatelyAvailableMetadataOnly
                        ) { _ in }
                    }
                ),
                (
                    "both",
                    {
                        try await FileCoordinator(client: confined).coordinate(with: [
                            .reading(read), .writing(other),
                        ]) { _ in }
                    }
                ), ("presenting", { try await confined.addFilePresenter(Quiet(other)) }),
                (
                    "the list of claims",
                    { _ = try await confined.call(AdministrationInterface.Claims.self, .init()) }
                ),
            ]
            for (what, body) in refused {
                let failure = await IsolationTests.failure(body)
                #expect(failure == .notPermitted, "\(what): \(failure.map { "\($0)" } ?? "it worked")")
            }
            let presenter = Quiet(read)
            try await confined.addFilePresenter(presenter)
            await confined.removeFilePresenter(presenter)
        }
    }

    @Test("S4: a client that waits for another's claim or presenter learns that it exists, but not whose it is")
    func names() async throws {
        try await Self.with(["write.txt": .readWrite]) { installation, confined, references in
            let reference = try #require(references["write.txt"])
            let holder = try await Probe(installation, client: "org.example.Secret")
            let held = try holder.send("hold-write", "LocalFolder:/write.txt")
            try await holder.wait(held, for: "granted")
            #expect(try await Self.waitsFor(confined, reference) == ["a claim of another client"])
            // Every other client gets the name.
            let open = installation.client()
            defer { open.close() }
            _ = try await DocumentPicker(client: open).openDocument(
                at: DocumentLocation(provider: "LocalFolder", path: "/write.txt"))
            let told = try await Self.waitsFor(open, reference).joined()
            #expect(told.contains("org.example.Secret"), "\(told)")
            try holder.send("release", held)
            try await holder.wait(held, for: "released")

            try await holder.wait(try holder.send("present", "LocalFolder:/write.txt", "silent"), for: "presenting")
            let words = try await Self.waitsFor(confined, reference).joined()
            #expect(words.contains("another client") && !words.contains("Secret"), "\(words)")
        }
    }

    /// The name that a waiting reader gets.
    private static func waitsFor(_ client: DocumentsClient, _ reference: DocumentReference) async throws -> [String] {
        let item = Wire.ItemReference(
            provider: reference.provider, domain: reference.domain, identifier: reference.identifier)
        let replies = try client.stream(
            DocumentsInterface.Coordinate.self,
            .init(
                accesses: [.init(place: .init(reference: item), writing: false)],
                operation: UUID().uuidString))
        for try await reply in replies {
            #expect(reply.value.state == "waiting")
            if let words = reply.value.waitsFor, !words.isEmpty { return words }
        }
        return []
    }
}
