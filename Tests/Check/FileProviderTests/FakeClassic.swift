import FileProvider
import FoundationEssentials
import Synchronization

/// An iOS 8 provider. The start of an item whose name begins with `held` waits until the test releases it.
final class FakeClassic: FileProviderExtension {
    /// Callbacks with their paths, in order.
    nonisolated static let calls = Mutex<[String]>([])
    /// The paths of held starts that may continue.
    nonisolated static let released = Mutex<Set<String>>([])

    override func providePlaceholder(at url: URL) async throws {
        note("placeholder", url)
        switch url.lastPathComponent {
        case "nothing": return
        case "fails":
            throw FileProviderError(
                .serverUnreachable, "The server does not answer.",
                underlying: [ErrorDetail(domain: "org.example.Service", code: 42, text: "No route.")])
        default:
            try Self.writePlaceholder(
                at: Self.placeholderURL(for: url),
                withMetadata: PlaceholderMetadata(name: url.lastPathComponent, size: 7, version: "v1"))
        }
    }

    override func startProvidingItem(at url: URL, progress: TransferProgress) async throws {
        note("start", url)
        defer { note("started", url) }
        let name = url.lastPathComponent
        if name == "forgets" { return }
        try await progress.report(completed: 3, total: 7)
        if name.hasPrefix("held") {
            try Data("hal".utf8).write(to: url)
            while !Self.released.withLock({ $0.contains(url.path) }) {
                // Continues when it is cancelled, without busy waiting.
                await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value
            }
        }
        try Data("content".utf8).write(to: url, options: .atomic)
    }

    override func itemChanged(at url: URL) async {
        note("change", url)
        while url.lastPathComponent.hasPrefix("held"), !Self.released.withLock({ $0.contains(url.path) }) {
            await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value
        }
        note(Task.isCancelled ? "cancelled" : "changed", url)
    }

    override func stopProvidingItem(at url: URL) async {
        note("stop", url)
        if url.lastPathComponent == "vanishes" { try? FileManager.default.removeItem(at: url) }
    }

    private func note(_ what: String, _ url: URL) { Self.calls.withLock { $0.append("\(what) \(url.path)") } }

    /// The callbacks about a path, in order.
    nonisolated static func calls(_ path: String) -> [String] {
        calls.withLock { $0.filter { $0.hasSuffix(" \(path)") }.map { String($0.dropLast(path.utf8.count + 1)) } }
    }
}
