import FileProvider
import FoundationEssentials
import Synchronization

/// An iOS 8 provider: every item named `remote…` is created when it is asked for.
final class FakeExtension: FileProviderExtension {
    nonisolated static let calls = Mutex<[String]>([])

    override func providePlaceholder(at url: URL) async throws {
        Self.note("placeholder", url)
        guard url.lastPathComponent.hasPrefix("remote") else {
            throw FileProviderError(.noSuchItem, "There is no \(url.lastPathComponent).")
        }
        try Self.writePlaceholder(
            at: Self.placeholderURL(for: url),
            withMetadata: PlaceholderMetadata(name: url.lastPathComponent, size: 6, version: "v1"))
    }

    override func startProvidingItem(at url: URL) async throws {
        Self.note("start", url)
        try Data("remote".utf8).write(to: url, options: .atomic)
    }

    override func itemChanged(at url: URL) async { Self.note("changed", url) }

    override func stopProvidingItem(at url: URL) async { Self.note("stop", url) }

    private static func note(_ what: String, _ url: URL) {
        calls.withLock { $0.append("\(what) \(url.path)") }
    }
}

/// Overrides nothing.
final class EmptyExtension: FileProviderExtension {}
