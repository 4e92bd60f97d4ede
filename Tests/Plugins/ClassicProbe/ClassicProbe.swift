import FileProvider
import FoundationEssentials

/// A provider in the manner of iOS 8 that tests can watch: its remote documents are the files in `Remote` of its
/// container, every callback is a line of `callbacks.log` there, and some names do wrong.
///
/// | Name contains | What happens |
/// |---|---|
/// | `slow` | ``startProvidingItem(at:progress:)`` takes two seconds and tells progress |
/// | `silent` | it takes two seconds and tells nothing |
/// | `fails` | it fails with a chain of causes; so does ``providePlaceholder(at:)`` for `nometa` |
/// | `never` | it never ends |
/// | `halfway` | it writes half of the content into the file itself, waits a second, and then the rest |
/// | `forgets` | it ends without making the file |
/// | `evict` | ``stopProvidingItem(at:)`` removes the file and leaves a placeholder |
/// | `vanish` | it removes the file and leaves nothing |
/// | `lazy` | ``itemChanged(at:)`` takes two seconds |
///
/// What is changed goes to `Remote` in ``itemChanged(at:)``.
final class ClassicProbe: FileProviderExtension {
    struct NoRoute: Error, CustomStringConvertible {
        var description: String { "There is no route to the probe's host." }
    }

    private nonisolated var log: ProbeLog { ProbeLog(container: container) }
    private nonisolated let container: String
    private nonisolated let storage: String

    required init(context: FileProviderExtensionContext) {
        storage = context.documentStorageURL.path
        // <group container>/File Provider Storage/<domain>
        container = context.documentStorageURL.deletingLastPathComponent().deletingLastPathComponent().path
        super.init(context: context)
        log.note("init", context.domain.identifier)
    }

    override func providePlaceholder(at url: URL) async throws {
        let name = note("placeholder", url)
        if name.contains("nometa") { throw Self.failure }
        guard let content = remote(name) else {
            throw FileProviderError(.noSuchItem, "The probe has no remote document “\(name)”.")
        }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Self.writePlaceholder(
            at: Self.placeholderURL(for: url),
            withMetadata: PlaceholderMetadata(
                name: url.lastPathComponent, size: content.count, version: "\(content.count)",
                thumbnail: "probe:\(name)"))
    }

    override func startProvidingItem(at url: URL, progress: TransferProgress) async throws {
        let name = note("start", url)
        defer { log.note("started", name) }
        guard let content = remote(name) else {
            throw FileProviderError(.noSuchItem, "The probe has no remote document “\(name)”.")
        }
        if name.contains("fails") { throw Self.failure }
        if name.contains("never") {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if name.contains("slow") {
            for part in 1...20 {
                try await Task.sleep(for: .milliseconds(100))
                try await progress.report(completed: content.count * part / 20, total: content.count)
            }
        }
        if name.contains("silent") { try await Task.sleep(for: .seconds(2)) }
        if name.contains("forgets") { return }
        if name.contains("halfway") {
            try content.prefix(content.count / 2).write(to: url)
            try await Task.sleep(for: .seconds(1))
        }
        try content.write(to: url, options: .atomic)
    }

    override func itemChanged(at url: URL) async {
        let name = note("changed", url)
        if name.contains("lazy") { try? await Task.sleep(for: .seconds(2)) }
        guard let content = try? Data(contentsOf: url) else { return }
        let target = URL(filePath: "\(container)/Remote/\(name)")
        try? FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? content.write(to: target, options: .atomic)
        log.note("uploaded", name)
    }

    override func stopProvidingItem(at url: URL) async {
        let name = note("stop", url)
        if name.contains("evict"), remote(name) != nil {
            try? await providePlaceholder(at: url)
            try? FileManager.default.removeItem(at: url)
        }
        if name.contains("vanish") { try? FileManager.default.removeItem(at: url) }
    }

    private static var failure: FileProviderError {
        FileProviderError(
            .serverUnreachable, "The probe's host does not answer.",
            causedBy: FileProviderError(.failed, "The connection could not be made.", causedBy: NoRoute()))
    }

    private func note(_ callback: String, _ url: URL) -> String {
        let path = url.path
        let name = path.hasPrefix(storage + "/") ? String(path.dropFirst(storage.count + 1)) : path
        log.note(callback, name)
        return name
    }

    private func remote(_ name: String) -> Data? { try? Data(contentsOf: URL(filePath: "\(container)/Remote/\(name)")) }
}
