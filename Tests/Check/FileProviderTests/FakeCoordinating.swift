import FileProvider
import FoundationEssentials
import Synchronization

/// Coordinates in its `item(for:)`, as the identifier says: `<purpose>|<how>|<item>`, where how is `read`, `write`,
/// `throw`, `nest` or `wait`; an empty purpose means the coordinator's own. Every access that runs adds a line to
/// ``accesses``.
final class FakeCoordinating: ReplicatedFileProvider {
    struct Thrown: Error {}

    static let accesses = Mutex<[String]>([])

    let host: FileProviderHost

    init(domain: FileProviderDomain, host: FileProviderHost) throws { self.host = host }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        let parts = identifier.rawValue.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw FileProviderError(.noSuchItem, "No instruction.") }
        let item = ItemIdentifier(parts[2])
        let coordinator = FileCoordinator(host: host, deadline: .seconds(parts[1] == "hurry" ? 1 : 60))
        if !parts[0].isEmpty { try coordinator.setPurposeIdentifier(parts[0]) }
        switch parts[1] {
        case "write", "hurry":
            try await coordinator.coordinate(writingItem: item, options: .forReplacing) { note(parts[2]) }
        case "throw":
            try await coordinator.coordinate(writingItem: item) {
                note(parts[2])
                throw Thrown()
            }
        case "nest":
            try await coordinator.coordinate(writingItem: item) {
                try await FileCoordinator(host: host).coordinate(readingItem: item) { note(parts[2]) }
            }
        default: try await coordinator.coordinate(readingItem: item, options: .withoutChanges) { note(parts[2]) }
        }
        return FileProviderItem(folder: identifier, parent: .rootContainer, filename: "done")
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func startObserving(_ identifier: ItemIdentifier) async throws { note("observe \(identifier)") }

    func stopObserving(_ identifier: ItemIdentifier) async { note("forget \(identifier)") }

    private func note(_ text: String) { Self.accesses.withLock { $0.append(text) } }

    static func count(_ text: String) -> Int { accesses.withLock { $0.count { $0 == text } } }
}
