import FileProvider
import FoundationEssentials

// The Swift of "Implementing a provider", second part, and of "Coordinating".

// snippet: classic
final class LettersProvider: FileProviderExtension {
    private let office = PostOffice()

    override func providePlaceholder(at url: URL) async throws {
        let letter = try await office.letter(named: url.lastPathComponent)
        try Self.writePlaceholder(
            at: Self.placeholderURL(for: url),
            withMetadata: PlaceholderMetadata(
                name: url.lastPathComponent, size: letter.size, version: letter.revision))
    }

    override func startProvidingItem(at url: URL) async throws {
        let text = try await office.text(ofLetterNamed: url.lastPathComponent)
        try text.write(to: url, options: .atomic)  // Nobody sees a part of it.
    }

    override func itemChanged(at url: URL) async {
        do {
            try await office.send(Data(contentsOf: url), named: url.lastPathComponent)
        } catch {
            await office.sendLater(url)  // The client considers it saved, so it must be sent eventually.
        }
    }

    override func stopProvidingItem(at url: URL) async {
        guard await office.hasAll(of: url) else { return }
        try? await providePlaceholder(at: url)
        try? FileManager.default.removeItem(at: url)
    }
}
// end

/// The service of the snippet.
actor PostOffice {
    private var waiting: [URL] = []

    func letter(named name: String) throws -> (size: Int, revision: String) { (0, "1") }
    func text(ofLetterNamed name: String) throws -> Data { Data() }
    func send(_ text: Data, named name: String) throws {}
    func sendLater(_ url: URL) { waiting.append(url) }
    func hasAll(of url: URL) -> Bool { !waiting.contains(url) }
}

final class SyncingProvider: FileProviderExtension {
    private func download(to url: URL) async throws {}

    // snippet: coordinating
    override func startProvidingItem(at url: URL) async throws {
        let coordinator = FileCoordinator(for: self)
        try coordinator.setPurposeIdentifier(providerIdentifier)
        try await coordinator.coordinate(writingItemAt: url) { url in
            try await download(to: url)
        }
    }
    // end
}
