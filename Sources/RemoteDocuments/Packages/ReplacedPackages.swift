import FoundationEssentials
import HostCore
package import Records
package import Rights
import Synchronization

/// Packages that their providers have replaced, or may have, before it is on record here what that has made of their elements.
///
/// A package that is replaced has other versions of all its elements, also of those whose content stays. Whoever lists it before
/// these are known for ours would take them for somebody else's changes, and a document that is saved then for one in conflict
/// (HAZARDS 5). So until then the elements stay what they are known to be. Thread-safe.
package final class ReplacedPackages: Sendable {
    private static let deepest = 256

    private let packages = Mutex<[ItemKey: Set<String>]>([:])
    private let journal: OperationJournal

    package init(journal: OperationJournal) { self.journal = journal }

    /// The provider is asked to replace a package, by an operation of the journal.
    package func begin(_ operation: String, of package: ItemKey) {
        packages.withLock { _ = $0[package, default: []].insert(operation) }
    }

    /// What came of an operation is on record, or it came to nothing.
    func end(_ operation: String) {
        packages.withLock { packages in
            packages = packages.mapValues { $0.subtracting([operation]) }.filter { !$0.value.isEmpty }
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { packages.withLock(\.isEmpty) }

    /// Whether a folder is such a package, or lies in one.
    func contains(_ folder: ItemKey, in index: ItemIndex) async throws -> Bool {
        var next = folder
        for _ in 0..<Self.deepest where !isEmpty {
            if try await isReplaced(next) { return true }
            guard next.identifier != ItemKey.rootIdentifier, let item = try await index.item(next) else { break }
            next = folder.sibling(item.description.parent)
        }
        return false
    }

    // A change that the user must see to, or that is over, is not sent again: nothing more is going to be learnt of it.
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
