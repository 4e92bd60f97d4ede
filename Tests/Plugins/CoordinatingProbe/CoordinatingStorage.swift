import FileProvider
import FoundationEssentials

/// The storage of ``CoordinatingPicker``: it provides existing files only, and logs its calls.
final class CoordinatingStorage: FileProviderExtension {
    private nonisolated let log: ProbeLog

    required init(context: FileProviderExtensionContext) {
        log = ProbeLog(context.documentStorageURL.path)
        super.init(context: context)
    }

    override func providePlaceholder(at url: URL) async throws {
        throw FileProviderError(.noSuchItem, "There is no \"\(url.lastPathComponent)\".")
    }

    override func startProvidingItem(at url: URL) async throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw FileProviderError(.noSuchItem, "There is no \"\(url.lastPathComponent)\".")
        }
    }

    override func itemChanged(at url: URL) async { log.note("changed", url.lastPathComponent) }
}
