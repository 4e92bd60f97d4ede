import FileProvider
import Foundation
import Glibc

/// A provider in the form of iOS 8 that provides a file as it should, and puts something else in its place before the
/// validator looks at it. The settings of its domain say what: `swap`, and for a link its `target`.
final class SwappingShelf: FileProviderExtension {
    /// The bytes of the document of the case.
    nonisolated static let size = 3_000

    private var isProvided = false

    override func itemChanged(at url: URL) async { unlink(url.path) }

    override func startProvidingItem(at url: URL) async throws {
        try Data(repeating: 7, count: Self.size).write(to: url)
        isProvided = true
    }

    // After Provide, the validator asks for the URL.
    override func urlForItem(withPersistentIdentifier identifier: String) -> URL? {
        let url = super.urlForItem(withPersistentIdentifier: identifier)
        if isProvided, let url {
            isProvided = false
            swap(url.path)
        }
        return url
    }

    private func swap(_ path: String) {
        let target = context.domain.settings["target"] ?? ""
        switch context.domain.settings["swap"] {
        case "pipe":
            unlink(path)
            mkfifo(path, 0o600)
        case "link":
            unlink(path)
            symlink(target, path)
        case "folder link":
            // The folder of the case, with the same name elsewhere.
            let folder = URL(filePath: path).deletingLastPathComponent().path
            rename(folder, folder + ".moved")
            symlink(target, folder)
        case "folder":
            unlink(path)
            mkdir(path, 0o700)
        case "hole": truncate(path, 1 << 40)
        default: break
        }
    }
}
