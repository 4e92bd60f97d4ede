import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The use of a document by a coordinated read, and its end (O1, D10, 2.10).
@Suite(.needs(.daemon, .server, within: .seconds(300))) struct ClaimedUseTests {
    @MainActor private final class Text: Document {
        override func load(fromContents contents: DocumentContents, ofType type: String) throws {}
        override func contents(forType type: String) throws -> DocumentContents { .data(Data()) }
    }

    private static func with(_ body: @Sendable (RemoteInstallation, SecurityScopedDocument) async throws -> Void)
        async throws
    {
        try await RemoteInstallation.with { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            let client = remote.installation.client("org.example.Reader")
            defer { client.close() }
            try await body(remote, try await remote.open("a.txt", client: client))
        }
    }

    private static func read(_ document: SecurityScopedDocument) async throws -> String {
        try await FileCoordinator(client: document.client).coordinate(readingItemAt: document.reference) { access in
            let file = FileHandle(fileDescriptor: access.descriptor, closeOnDealloc: false)
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    @Test(
        "O1: after a coordinated read the local copy can be evicted while the client lives; during the read it cannot")
    func plain() async throws {
        try await Self.with { remote, document in
            for _ in 0..<3 { #expect(try await Self.read(document) == "content") }
            try await FileCoordinator(client: document.client).coordinate(readingItemAt: document.reference) { _ in
                let refused = try await remote.docent("evict", remote.location("a.txt"))
                #expect(refused.status == 6, "\(refused)")
            }
            try await remote.docent("evict", remote.location("a.txt")).succeeded()
            #expect(!(try await remote.info("a.txt").isDownloaded))
            #expect(try await Self.read(document) == "content")
            #expect(try await remote.info("a.txt").isDownloaded)
        }
    }

    @Test("G11, O1: a document that was opened or started otherwise stays in use despite coordinated reads")
    func others() async throws {
        try await Self.with { remote, document in
            func evict() async throws -> Int32 { try await remote.docent("evict", remote.location("a.txt")).status }
            close(try await document.openForReading())
            #expect(try await Self.read(document) == "content")
            #expect(try await evict() == 6)
            document.stopAccessing()
            try await remote.eventually("it is released") { try await evict() == 0 }
            #expect(await document.startAccessingSecurityScopedResource())
            #expect(try await Self.read(document) == "content")
            #expect(try await evict() == 6)
            document.stopAccessingSecurityScopedResource()
            try await remote.eventually("it is released") { try await evict() == 0 }
        }
    }

    @Test("X5, G11: a Document keeps its document in use until it is closed")
    func document() async throws {
        try await Self.with { remote, picked in
            func evict() async throws -> Int32 { try await remote.docent("evict", remote.location("a.txt")).status }
            let text = await Text(document: picked)
            try await text.open()
            #expect(try await Self.read(picked) == "content")
            #expect(try await evict() == 6)
            try await text.close()
            try await remote.eventually("it is released") { try await evict() == 0 }
        }
    }

    @Test(
        "2.10, D10: stopProviding is called after the end of each coordinated read")
    func stopped() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            try ClassicProbeManifest.write("content", to: "a.txt", in: installation)
            func stops() -> Int {
                ClassicProbeManifest.callbacks(about: "a.txt", in: installation).filter { $0 == "stop" }.count
            }
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation("\(ClassicProbeManifest.bundle):/a.txt"))
            for round in 1...3 {
                try await FileCoordinator(client: client).coordinate(readingItemAt: document.reference) { _ in
                    #expect(stops() == round - 1)
                }
                try await installation.eventually("stopProviding is called") { stops() == round }
            }
        }
    }
}
