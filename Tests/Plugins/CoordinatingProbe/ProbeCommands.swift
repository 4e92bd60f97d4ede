import FileProvider
import Foundation

/// The probe's actions on its own account: each file `NAME.command` in `Commands` of its container contains one, as
/// words separated by tabs.
///
/// | Words | What happens |
/// |---|---|
/// | `write`, purpose, document, text | a coordinated change of its content |
/// | `rename`, purpose, document, name | a coordinated rename |
/// | `delete`, purpose, document | a coordinated removal |
/// | `hold-write`, purpose, document | a claim for writing, until there is a file `NAME.release` |
/// | `hold-read`, purpose, document | the same for reading |
///
/// The purpose is `own` for the provider's, otherwise a unique one. The log has `waits`, `granted`, `ended` or
/// `failed-CODE` of NAME.
struct ProbeCommands: Sendable {
    let host: FileProviderHost
    let log: ProbeLog
    let folder: ProbeFolder

    private var directory: String { log.container + "/Commands" }

    /// Starts to look for commands, until the process ends.
    func follow() {
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        Task.detached {
            while true {
                for file in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
                    guard file.hasSuffix(".command") else { continue }
                    let text = try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
                    try? FileManager.default.removeItem(atPath: "\(directory)/\(file)")
                    let words = (text ?? "").split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                    Task.detached { await run(String(file.dropLast(8)), words) }
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func run(_ name: String, _ words: [String]) async {
        do {
            guard words.count >= 3 else { throw FileProviderError(.invalidArgument, "A command has three words.") }
            let item = try folder.identifier(named: words[2])
            let coordinator = FileCoordinator(host: host)
            if words[1] == "own" { try coordinator.setPurposeIdentifier(host.providerIdentifier) }
            log.note("waits", name)
            switch words[0] {
            case "hold-read":
                try await coordinator.coordinate(readingItem: item) { try await hold(name) }
            case "rename":
                try await coordinator.coordinate(writingItem: item, options: .forMoving) {
                    log.note("granted", name)
                    let parent = try folder.item(item).parent
                    _ = try folder.move(item, to: parent, named: words.last ?? "")
                }
            case "delete":
                try await coordinator.coordinate(writingItem: item, options: .forDeleting) {
                    log.note("granted", name)
                    try folder.delete(item)
                }
            case "write":
                try await coordinator.coordinate(writingItem: item) {
                    log.note("granted", name)
                    _ = try folder.modify(item, nil, Data((words.last ?? "").utf8))
                }
            default:
                try await coordinator.coordinate(writingItem: item) { try await hold(name) }
            }
            log.note("ended", name)
            if words[0] == "delete" { host.signalDeleted([item]) } else { host.signalChanged([item]) }
        } catch {
            log.note("failed", name, failed: error)
        }
    }

    private func hold(_ name: String) async throws {
        log.note("granted", name)
        while !FileManager.default.fileExists(atPath: "\(directory)/\(name).release") {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
