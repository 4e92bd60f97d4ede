import DocentTestSupport
import Documents
import Foundation
import Testing

/// The iOS 8 class end to end: the callbacks that a client's actions cause, in order (D7–D16, E, X11).
@Suite(.needs(.daemon)) struct ClassicProviderTests {
    private struct Info: Decodable {
        var size: Int?
        var isDownloaded: Bool
    }

    private struct Opened: Decodable {
        var bookmark: String
    }

    private static func with(
        environment: [String: String] = [:], _ body: (Installation) async throws -> Void
    ) async throws {
        try await Installation.with(environment: environment) { installation in
            try await ClassicProbeManifest.install(in: installation)
            try await body(installation)
        }
    }

    private static func location(_ name: String) -> String { "\(ClassicProbeManifest.bundle):/\(name)" }

    private static func callbacks(_ name: String, _ installation: Installation) -> [String] {
        ClassicProbeManifest.callbacks(about: name, in: installation)
    }

    @Test("D7, D8, D9, D10, D12, D13, D14, E7, G6, complaints 3, 22, 25, 32: a client's actions cause their callbacks")
    func actions() async throws {
        try await Self.with { installation in
            // While there is only one document.
            try await TestStep.run("a.txt") { try await Self.metadataOnly(installation) }
            try await TestStep.run("slow.txt") { try await Self.reading(installation) }
            try await TestStep.run("halfway.txt") { try await Self.wholeFiles(installation) }
            try await TestStep.run("fails.txt") { try await Self.errors(installation) }
            for name in ["saved.txt", "lazy.txt"] {
                try await TestStep.run(name) { try await Self.saves(name, installation) }
            }
            for name in ["evict.txt", "vanish.txt"] {
                try await TestStep.run(name) { try await Self.evicts(name, installation) }
            }
        }
    }

    /// D7, D12, complaint 25: a request for metadata creates a placeholder and fetches nothing.
    private static func metadataOnly(_ installation: Installation) async throws {
        try ClassicProbeManifest.write("content", to: "a.txt", in: installation)
        let info = try await installation.docent("info", "--json", Self.location("a.txt")).succeeded()
            .json(Info.self)
        #expect(info.size == 7)
        #expect(!info.isDownloaded)
        #expect(try await installation.docent("ls", Self.location("")).succeeded().text == "a.txt\n")
        let callbacks = Self.callbacks("a.txt", installation)
        #expect(!callbacks.isEmpty && callbacks.allSatisfy { $0 == "placeholder" }, "\(callbacks)")
    }

    /// D8, D10, complaint 3: reading creates the file; stopProviding is called once, after the last reader.
    private static func reading(_ installation: Installation) async throws {
        try ClassicProbeManifest.write("content", to: "slow.txt", in: installation)
        let location = try DocumentLocation(Self.location("slow.txt"))
        let clients = [installation.client("org.example.first"), installation.client("org.example.second")]
        // Both have it open before either closes it.
        let documents = try await withThrowingTaskGroup(of: SecurityScopedDocument.self) { group in
            for client in clients {
                group.addTask {
                    let document = try await DocumentPicker(client: client).openDocument(at: location)
                    let descriptor: CInt = try await document.openForReading()
                    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                    #expect(try file.readToEnd() == Data("content".utf8))
                    return document
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(!Self.callbacks("slow.txt", installation).contains("stop"))
        for document in documents { document.stopAccessing() }
        try await installation.eventually("stopProviding is called") {
            Self.callbacks("slow.txt", installation).contains("stop")
        }
        let callbacks = Self.callbacks("slow.txt", installation).filter { $0 != "placeholder" }
        #expect(callbacks == ["start", "started", "stop"])
    }

    /// complaint 22: no reader sees a partial file.
    private static func wholeFiles(_ installation: Installation) async throws {
        try ClassicProbeManifest.write("the whole content", to: "halfway.txt", in: installation)
        let location = Self.location("halfway.txt")
        async let first = installation.docent("cat", location)
        try await installation.eventually("the start") {
            Self.callbacks("halfway.txt", installation).contains("start")
        }
        #expect(try await installation.docent("cat", location).succeeded().text == "the whole content")
        #expect(try await first.succeeded().text == "the whole content")
    }

    /// D13, complaint 32: an error thrown by an override reaches the client with its chain of causes.
    private static func errors(_ installation: Installation) async throws {
        try ClassicProbeManifest.write("content", to: "fails.txt", in: installation)
        let outcome = try await installation.docent("cat", "--verbose", Self.location("fails.txt"))
        #expect(outcome.status == 5, "\(outcome)")
        for part in ["The probe's host does not answer.", "There is no route"] {
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
        }
        let missing = try await installation.docent("cat", Self.location("missing.txt"))
        #expect(missing.status == 2, "\(missing)")
    }

    /// D9, D14: a save is reported once and reaches the service.
    private static func saves(_ name: String, _ installation: Installation) async throws {
        try ClassicProbeManifest.write("before", to: name, in: installation)
        let opened = try await installation.docent("open", Self.location(name), "--json").succeeded()
            .json(Opened.self)
        try await installation.docent(
            "write", "--bookmark", opened.bookmark, input: Data("after".utf8)
        ).succeeded()
        try await installation.eventually("the service has the change", within: 60) {
            ClassicProbeManifest.read(name, in: installation) == "after"
        }
        #expect(Self.callbacks(name, installation).count { $0 == "changed" } == 1, "\(name)")
        let text = try await installation.docent("cat", Self.location(name)).succeeded().text
        #expect(text == "after", "\(name)")
    }

    /// E7, G6: an evicted document leaves a placeholder and can be fetched again.
    private static func evicts(_ name: String, _ installation: Installation) async throws {
        try ClassicProbeManifest.write("content", to: name, in: installation)
        for round in 1...2 {
            let text = try await installation.docent("cat", Self.location(name)).succeeded().text
            #expect(text == "content", "\(name), round \(round)")
            try await installation.eventually("stop number \(round)") {
                Self.callbacks(name, installation).count { $0 == "stop" } == round
            }
            try await installation.eventually("the file is gone") {
                let info = try await installation.docent("info", "--json", Self.location(name)).succeeded()
                    .json(Info.self)
                return !info.isDownloaded && info.size == 7
            }
        }
        #expect(Self.callbacks(name, installation).count { $0 == "start" } == 2, "\(name)")
    }

    @Test("X11: an override that never returns meets the deadline, and other calls are served meanwhile")
    func neverEnds() async throws {
        try await Self.with(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "10"]) { installation in
            for name in ["never.txt", "a.txt"] {
                try ClassicProbeManifest.write("content", to: name, in: installation)
            }
            async let stuck = installation.docent("cat", Self.location("never.txt"))
            try await installation.eventually("the start") {
                Self.callbacks("never.txt", installation).contains("start")
            }
            #expect(try await installation.docent("cat", Self.location("a.txt")).succeeded().text == "content")
            let outcome = try await stuck
            #expect([5, 7].contains(outcome.status), "\(outcome)")
            #expect(!outcome.errors.isEmpty)
        }
    }
}
