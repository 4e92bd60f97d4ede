import Records
import Storage
import Synchronization

/// The lists of the packages that were read last, so that reading one element after the other does not read the list
/// each time. A kept package never changes. Thread-safe.
final class KeptPackages: Sendable {
    /// A package, with its elements by path.
    struct Entry: Sendable {
        let place: VersionStore.Place
        let package: KeptPackage
        private let elements: [PackagePath: KeptPackage.Element]

        init(_ place: VersionStore.Place, _ package: KeptPackage) {
            self.place = place
            self.package = package
            elements = Dictionary(package.elements.map { ($0.path, $0) }) { first, _ in first }
        }

        func element(_ path: PackagePath) -> KeptPackage.Element? { elements[path] }
    }

    private static let most = 4
    private let entries = Mutex<[(id: String, entry: Entry)]>([])

    /// The list of a version, if it was read a short time ago.
    func entry(_ id: String) -> Entry? { entries.withLock { $0.first { $0.id == id }?.entry } }

    func note(_ entry: Entry, _ id: String) {
        entries.withLock { entries in
            entries.removeAll { $0.id == id }
            entries.insert((id, entry), at: 0)
            if entries.count > Self.most { entries.removeLast() }
        }
    }

    func forget(_ id: String) { entries.withLock { $0.removeAll { $0.id == id } } }
}
