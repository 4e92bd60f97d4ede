import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing

/// The type that a client states for a new document, passed to a provider of remote documents.
@Suite(.needs(.daemon)) struct CreatedTypeTests {
    private static let provider = "org.example.Types"

    private struct Item: Decodable {
        let name: String
        let contentType: String
        let isUploaded: Bool
    }

    @Test(
        "a provider gets the type that a client stated for a new document, also from the next daemon",
        arguments: [nil, "committed"])
    func reachesProvider(crashAfter step: String?) async throws {
        let environment = step.map { ["DOCENT_TEST_CRASH_AFTER": $0] } ?? [:]
        try await FaultyProviders.with([Self.provider: .full], environment: environment) { providers in
            try await providers.addDomain(Self.provider, faults: "")
            let installation = providers.installation
            let source = try installation.makeSource("{}")
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
            func export() async throws {
                _ = try await DocumentPicker(client: providers.client).exportDocument(
                    from: file.fileDescriptor, to: providers.location(Self.provider, "/"), name: "Settings",
                    contentType: "public.json")
            }
            // A daemon that ends after accepting the document does not answer.
            if step == nil { try await export() } else { try? await export() }
            // With its own client, which starts the next daemon.
            try await installation.eventually("the provider has the document") {
                let listing = try await installation.docent(
                    "ls", "--json", "\(Self.provider)@\(FaultyProviders.domain):/")
                // On a busy machine, the provider may not have started within its deadline.
                guard listing.status != 7 else { return false }
                let items = try listing.succeeded().json([Item].self)
                guard let item = items.first(where: { $0.name == "Settings" }), item.isUploaded else { return false }
                #expect(item.contentType == "public.json")
                return true
            }
            // The provider itself stores it, and not only the daemon.
            let tree = FaultyStorage(providers, Self.provider).path + "/tree/journal"
            let isKept = try #require(installation.read(tree)).contains("\"contentType\":\"public.json\"")
            #expect(isKept)
        }
    }
}
