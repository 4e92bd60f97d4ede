import FileProvider
import Synchronization

/// Where each Nextcloud file number was last seen. Numbers survive a rename, so on Nextcloud they are the identifiers.
/// On other servers nothing is recorded, and paths are the identifiers.
final class IdentityMap: Sendable {
    private struct State {
        var paths: [String: RemotePath] = [:]
        var numbers: [RemotePath: String] = [:]
    }

    private static let prefix = "id:"
    private static let capacity = 500_000

    private let state = Mutex(State())

    /// The number in an identifier; nil if it is a path.
    static func number(of identifier: ItemIdentifier) -> String? {
        let text = identifier.rawValue
        guard text.hasPrefix(prefix) else { return nil }
        let number = text.dropFirst(prefix.count)
        return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(number) : nil
    }

    /// The identifier of the file with a number.
    static func identifier(ofNumber number: String) -> ItemIdentifier { ItemIdentifier(prefix + number) }

    /// Records the numbers and paths that a Nextcloud server reported.
    func learn(_ entries: some Sequence<RemoteEntry>) {
        state.withLock { state in
            if state.paths.count > Self.capacity { state = State() }
            for entry in entries {
                guard let number = entry.fileIdentifier, !entry.path.isRoot,
                    number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
                else { continue }
                if let old = state.paths[number] { state.numbers[old] = nil }
                if let old = state.numbers[entry.path] { state.paths[old] = nil }
                state.paths[number] = entry.path
                state.numbers[entry.path] = number
            }
        }
    }

    /// Forgets a path and everything below it.
    func forget(_ path: RemotePath) {
        state.withLock { state in
            for (known, number) in state.numbers where known == path || known.isBelow(path) {
                state.numbers[known] = nil
                state.paths[number] = nil
            }
        }
    }

    /// The last known path of a number.
    func path(of identifier: ItemIdentifier) -> RemotePath? {
        Self.number(of: identifier).flatMap { number in state.withLock { $0.paths[number] } }
    }

    /// The identifier of a path: its number if one is known.
    func identifier(of path: RemotePath) -> ItemIdentifier {
        state.withLock { $0.numbers[path] }.map { ItemIdentifier(Self.prefix + $0) } ?? path.identifier
    }
}
