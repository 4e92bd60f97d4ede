import FoundationEssentials
import HostCore
package import Records
package import Rights
import Synchronization

/// Packages that their providers have or may have replaced, until the resulting versions of their elements are recorded
/// here.
///
/// Replacing a package changes the versions of all its elements, even of those with the same content. A listing before
/// the new versions are known to be ours would treat them as someone else's changes, and a later save as a conflict
/// (HAZARDS 5). Until then the elements keep their known state. Thread-safe.
package final class ReplacedPackages: Sendable {
    private static let deepest = 256

    private let packages = Mutex<[ItemKey: Set<String>]>([:])
    private let journal: OperationJournal

    package init(journal: OperationJournal) { self.journal = journal }

    /// Records that the provider is asked to replace a package, by an operation of the journal.
    package func begin(_ operation: String, of package: ItemKey) {
        packages.withLock { _ = $0[package, default: []].insert(operation) }
    }

    /// Records that the outcome of an operation is recorded, or that it failed.
    func end(_ operation: String) {
        packages.withLock { packages in
            packages = packages.mapValues { $0.subtracting([operation]) }.filter { !$0.value.isEmpty }
        }
    }

    var isEmpty: Bool { packages.withLock(\.isEmpty) }

    /// Whether a folder is such a package or is inside one.
    func contains(_ folder: ItemKey, in index: ItemIndex) async throws -> Bool {
        var next = folder
        for _ in 0..<Self.deepest where !isEmpty {
            if try await isReplaced(next) { return true }
            guard next.identifier != ItemKey.rootIdentifier, let item = try await index.item(next) else { break }
            next = folder.sibling(item.description.parent)
        }
        return false
    }

    // A change that waits for the user or is over is not sent again: nothing more will be learned about it.
    private func isReplaced(_ package: ItemKey) async throws -> Bool {
        for operation in packages.withLock({ $0[package] ?? [] }) {
            if let change = try await journal.operation(operation), change.isUnsent, change.state != .failed {
                return true
            }
            end(operation)
        }
        return false
    }
}
