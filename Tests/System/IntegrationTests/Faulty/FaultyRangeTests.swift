import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing

/// A provider that delivers something else than the part that it was asked for.
@Suite(.needs(.daemon)) struct FaultyRangeTests {
    private static let provider = "org.example.Parts"
    private static let content = Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })

    private static func with(
        _ faults: String, _ body: (PartialReading, Installation) async throws -> Void
    ) async throws {
        try await FaultyProviders.with([provider: .full]) { providers in
            try await providers.addDomain(provider, faults: faults)
            let installation = providers.installation
            let place = "\(provider)@\(FaultyProviders.domain):/large.bin"
            try await installation.docent("write", place, input: content).succeeded()
            try await installation.docent("drain").succeeded()
            try await installation.docent("evict", place).succeeded()
            let client = installation.client()
            defer { client.close() }
            let location = DocumentLocation(provider: provider, domain: FaultyProviders.domain, path: "/large.bin")
            let document = try await DocumentPicker(client: client).openDocument(at: location)
            let reading = try await document.openForReading(partial: true)
            #expect(!reading.isComplete)
            try await body(reading, installation)
        }
    }

    @Test(
        "what is not the part is refused, and nothing of it is read; the next answer is taken",
        arguments: ["short", "long", "countLies", "totalLies", "wrongVersion"])
    func refused(fault: String) async throws {
        try await Self.with("range.\(fault)@1") { reading, installation in
            let range = 1_000_000..<1_100_000
            let error = await #expect(throws: DocumentsError.self) { try await reading.fetch(range) }
            #expect(error?.code != .notPermitted, "\(String(describing: error))")
            try await installation.eventually("the part") {
                guard let bytes = try? await reading.read(range) else { return false }
                #expect(difference(bytes, from: Self.content[range]) == nil)
                return true
            }
        }
    }

    @Test("a provider that ends in the middle of a part is an error for who waits")
    func dies() async throws {
        try await Self.with("range.dies") { reading, _ in
            let error = await #expect(throws: DocumentsError.self) { try await reading.fetch(0..<1000) }
            #expect(error?.code != .notPermitted, "\(String(describing: error))")
        }
    }

    @Test("a provider that stops for a while is waited for")
    func stalls() async throws {
        try await Self.with("range.stalls=3@1") { reading, _ in
            let bytes = try await reading.read(2_000_000..<2_000_100)
            #expect(difference(bytes, from: Self.content[2_000_000..<2_000_100]) == nil)
        }
    }

    @Test("a refused part does not spoil the whole document")
    func whole() async throws {
        try await Self.with("range.long@1") { reading, installation in
            await #expect(throws: DocumentsError.self) { try await reading.fetch(0..<1000) }
            let cat = try await installation.docent(
                "cat", "\(Self.provider)@\(FaultyProviders.domain):/large.bin")
            #expect(difference(cat.output, from: Self.content) == nil, "\(cat.errors)")
        }
    }
}
