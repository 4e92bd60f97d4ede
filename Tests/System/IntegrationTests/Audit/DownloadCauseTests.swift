import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The recorded cause of a download.
@Suite(.needs(.daemon, .server)) struct DownloadCauseTests {
    @Test("a download is logged with the client that caused it; for a pinned document the cause is Docent")
    func causes() async throws {
        try await RemoteInstallation.with { server in
            for name in ["read.txt", "pinned.txt"] { try await server.put(Data("hello".utf8), name) }
        } _: { remote in
            try await remote.docent("cat", "--client", "org.example.reader", remote.location("read.txt")).succeeded()
            try await remote.docent("pin", remote.location("pinned.txt")).succeeded()
            var lines: [AuditTests.Line] = []
            try await remote.installation.eventually("both downloads are logged") {
                lines = try await AuditTests.log(remote.installation).filter { $0.event == "downloaded" }
                return lines.count >= 2
            }
            let read = try #require(lines.first { $0.name == "read.txt" })
            #expect(read.client == "org.example.reader")
            #expect(read.clientKind == "unconfined")
            #expect(read.executable?.hasSuffix("/docent") == true)
            let pinned = try #require(lines.first { $0.name == "pinned.txt" })
            #expect(pinned.clientKind == "docent")
            #expect(pinned.detail == "pinned")
            let why = try await remote.docent("why", "--json", remote.location("read.txt")).succeeded()
                .json(AuditTests.Why.self)
            #expect(why.lastDownload?.client == "org.example.reader")
            #expect(why.sentences.contains { $0.contains("was caused by org.example.reader") }, "\(why.sentences)")
            // A local copy is not fetched again.
            try await remote.docent("cat", "--client", "org.example.second", remote.location("read.txt")).succeeded()
            lines = try await AuditTests.log(remote.installation).filter { $0.event == "downloaded" }
            #expect(!lines.contains { $0.client == "org.example.second" })
        }
    }

    @Test("a program that opens a document through the SDK is logged as the cause, with its process")
    func program() async throws {
        try await RemoteInstallation.with { server in
            try await server.put(Data("hello".utf8), "other.txt")
        } _: { remote in
            let client = remote.installation.client("org.example.program")
            defer { client.close() }
            let location = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/other.txt")
            let document = try await DocumentPicker(client: client).openDocument(at: location)
            close(try await document.openForReading())
            let lines = try await AuditTests.log(remote.installation).filter { $0.event == "downloaded" }
            #expect(lines.map(\.client) == ["org.example.program"])
            #expect(lines.map(\.process) == [Int(getpid())])
        }
    }
}
