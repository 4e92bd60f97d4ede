import FileProvider
import FoundationEssentials

/// A provider of the iOS 8 class for tests: its remote documents are the files in `Remote` of its container, every
/// callback is logged as a line of `callbacks.log` there, and some names cause faults.
///
/// | Name contains | What happens |
/// |---|---|
/// | `slow` | ``startProvidingItem(at:progress:)`` takes two seconds and reports progress |
/// | `silent` | it takes two seconds and reports nothing |
/// | `fails` | it fails with a chain of causes; so does ``providePlaceholder(at:)`` for `nometa` |
/// | `never` | it never ends |
/// | `halfway` | it writes half of the content into the file itself, waits a second, and then the rest |
/// | `forgets` | it ends without creating the file |
/// | `claims` | it writes the file in a coordinated writing under the provider's own purpose (H3) |
/// | `deadlocks` | it does so without that purpose, and so waits for the reader that waits for it (2.9, deadlock 5) |
/// | `rereads` | it reads the requested document with coordination, without that purpose |
/// | `evict` | ``stopProvidingItem(at:)`` removes the file and leaves a placeholder |
/// | `vanish` | it removes the file and leaves nothing |
/// | `lazy` | ``itemChanged(at:)`` takes two seconds |
/// | `identified` | requests for its identifier and its URL are logged too |
///
/// Changes are written to `Remote` in ``itemChanged(at:)``.
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

    override func persistentIdentifierForItem(at url: URL) -> String? {
        if url.path.contains("identified") { _ = note("identify", url) }
        return super.persistentIdentifierForItem(at: url)
    }

    override func urlForItem(withPersistentIdentifier identifier: String) -> URL? {
        let url = super.urlForItem(withPersistentIdentifier: identifier)
        if let url, identifier.contains("identified") { _ = note("locate", url) }
        return url
    }

    override func providePlaceholder(at url: URL) async throws {
        let name = note("placeholder", url)
        if name.contains("nometa") { throw Self.failure }
        guard let content = remote(name) else {
            throw FileProviderError(.noSuchItem, "The probe has no remote document \"\(name)\".")
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
            throw FileProviderError(.noSuchItem, "The probe has no remote document \"\(name)\".")
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
        for how in ["claims", "deadlocks", "rereads"] where name.contains(how) {
            return try await write(content, to: url, name, how)
        }
        try content.write(to: url, options: .atomic)
    }

    private func write(_ content: Data, to url: URL, _ name: String, _ how: String) async throws {
        let coordinator = FileCoordinator(for: self)
        if how == "claims" { try coordinator.setPurposeIdentifier(providerIdentifier) }
        if how == "rereads" {
            try await coordinator.coordinate(readingItemAt: url) { _ in log.note("claimed", name) }
        } else {
            let options: FileCoordinator.WritingOptions = how == "deadlocks" ? .forReplacing : []
            try await coordinator.coordinate(writingItemAt: url, options: options) { url in
                log.note("claimed", name)
                try content.write(to: url, options: .atomic)
            }
        }
        if how == "rereads" { try content.write(to: url, options: .atomic) }
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
