import FileProvider
import Foundation

/// A picker that coordinates its writes to the storage of ``CoordinatingStorage``, for tests.
///
/// | Name begins with | What happens in export and move |
/// |---|---|
/// | `own` | the purpose is the provider's (H3) |
/// | `hold` | the claim is held until there is a file `NAME.release` in `Commands` of the container |
/// | `reads` | it reads `neighbour.txt` with coordination first |
final class CoordinatingPicker: DocumentPickerExtension {
    override func contents(of path: String, page: String?) async throws -> DocumentPickerPage {
        let names = try FileManager.default.contentsOfDirectory(atPath: documentStorageURL?.path ?? "").sorted()
        return DocumentPickerPage(entries: names.map { DocumentPickerEntry(path: "/\($0)", name: $0) })
    }

    override func userDidChoose(_ path: String, name: String?) async throws {
        guard let storage = documentStorageURL else { throw FileProviderError(.failed, "There is no storage.") }
        guard let name, let originalURL else {
            return dismissGrantingAccess(to: storage.appending(path: String(path.dropFirst())))
        }
        let log = ProbeLog(storage.path)
        let target = storage.appending(path: name)
        if name.hasPrefix("own") { purposeIdentifier = providerIdentifier }
        let coordinator = FileCoordinator(for: self)
        let content = try Data(contentsOf: originalURL)
        log.note("waits", name)
        do {
            if name.hasPrefix("reads") {
                let neighbour = storage.appending(path: "neighbour.txt")
                try await coordinator.coordinate(readingItemAt: neighbour) { _ in log.note("granted", name) }
            }
            try await coordinator.coordinate(writingItemAt: target, options: .forReplacing) { target in
                log.note("granted", name)
                try content.write(to: target)
                while name.hasPrefix("hold"),
                    !FileManager.default.fileExists(atPath: "\(log.container)/Commands/\(name).release")
                {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            log.note("ended", name)
        } catch {
            log.note("failed", name, failed: error)
            throw error
        }
        dismissGrantingAccess(to: target)
    }
}
