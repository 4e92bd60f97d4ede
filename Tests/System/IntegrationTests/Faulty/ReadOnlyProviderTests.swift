import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing
import Varlink

/// Writing to a provider that does not declare `write` is refused at once, and nothing waits to be sent (HAZARDS 24).
@Suite(.needs(.daemon, .server)) struct ReadOnlyProviderTests {
    private static let provider = "org.example.Fault"

    private static func place(_ path: String) -> String {
        "\(provider)@\(FaultyProviders.domain):\(path)"
    }

    private static func expectNothing(_ providers: FaultyProviders, before: [String]) async throws {
        let domains = try await providers.client.call(
            AdministrationInterface.ListDomains.self, .init(provider: provider)
        ).value.domains
        #expect(domains.allSatisfy { ($0.pendingChanges ?? 0) == 0 }, "\(domains)")
        let transfers = try await providers.installation.docent("transfers", "--json").succeeded().text
        #expect(!transfers.contains("upload"), "\(transfers)")
        let tour = FaultyTour(providers: providers, provider: provider)
        #expect(try await tour.names(in: "/").sorted() == before)
    }

    @Test(
        "every command refuses to write to a read-only provider at once, and nothing is left waiting",
        arguments: [ProviderFault.Subject.readOnly, .inPlace])
    func commands(_ subject: ProviderFault.Subject) async throws {
        try await FaultyProviders.with([Self.provider: subject]) { providers in
            try await providers.addDomain(Self.provider, faults: "")
            let installation = providers.installation
            let tour = FaultyTour(providers: providers, provider: Self.provider)
            let before = try await tour.names(in: "/").sorted()
            let content = try await tour.read("/Welcome.txt")
            let file = installation.root + "/given/new.txt"
            try Data("new".utf8).write(to: URL(fileURLWithPath: file))
            let package = installation.root + "/given/New.rtfd"
            try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
            try Data("new".utf8).write(to: URL(fileURLWithPath: package + "/TXT.rtf"))
            for arguments in [
                ["write", Self.place("/Welcome.txt")], ["export", file, Self.place("/")],
                ["export", package, Self.place("/")], ["move", file, Self.place("/")],
                ["mkdir", Self.place("/New")],
            ] {
                let outcome = try await installation.run(
                    Installation.binaries + "/docent", arguments, input: Data("new".utf8))
                #expect(outcome.status == 1, "\(arguments): \(outcome)")
                #expect(outcome.errors.contains("can only be read"), "\(arguments): \(outcome.errors)")
            }
            for arguments in [
                ["rename", Self.place("/Welcome.txt"), "Other.txt"], ["rm", Self.place("/Welcome.txt")],
            ] {
                let outcome = try await installation.run(Installation.binaries + "/docent", arguments)
                #expect(outcome.status == 1, "\(arguments): \(outcome)")
            }
            #expect(FileManager.default.fileExists(atPath: file), "the source of a move stays")
            #expect(try await tour.read("/Welcome.txt") == content)
            try await Self.expectNothing(providers, before: before)
        }
    }

    @Test(
        "no write session for a document, a new one or a package can be opened with a read-only provider",
        arguments: [ProviderFault.Subject.readOnly, .inPlace])
    func sessions(_ subject: ProviderFault.Subject) async throws {
        try await FaultyProviders.with([Self.provider: subject]) { providers in
            try await providers.addDomain(Self.provider, faults: "")
            let client = providers.client
            let picker = DocumentPicker(client: client)
            let tour = FaultyTour(providers: providers, provider: Self.provider)
            let before = try await tour.names(in: "/").sorted()
            let document = try await picker.openDocument(
                at: providers.location(Self.provider, "/Welcome.txt"))
            let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                at: providers.location(Self.provider, "/Reports"))
            let operation = UUID().uuidString
            func refused(_ what: String, _ body: () async throws -> Void) async {
                let error = await #expect(throws: DocumentsError.self, "\(what)") { try await body() }
                #expect(error?.code == .notSupported, "\(what): \(String(describing: error))")
            }
            await refused("a document") {
                _ = try await client.call(
                    DocumentsInterface.BeginWrite.self,
                    .init(reference: document.reference.wire, replacing: true, operation: operation))
            }
            await refused("a new document") {
                _ = try await client.call(
                    DocumentsInterface.BeginWrite.self,
                    .init(
                        reference: folder.reference.wire, replacing: true, operation: operation, name: "new.txt"
                    ))
            }
            await refused("a new package") {
                _ = try await client.call(
                    DocumentsInterface.BeginPackage.self,
                    .init(
                        reference: folder.reference.wire, replacing: true, operation: operation,
                        name: "New.rtfd",
                        contentType: "com.apple.rtfd"))
            }
            let known = try await client.call(
                DocumentsInterface.Outcome.self, .init(operation: operation)
            ).value
            #expect(known.state == "unknown", "nothing is recorded")
            try await Self.expectNothing(providers, before: before)
        }
    }
}
