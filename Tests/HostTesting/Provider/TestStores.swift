import FileProvider
import Synchronization

/// Gives the provider classes in this process their documents: each host of a test has its own folder, and each
/// provider in it its own store.
enum TestStores {
    private struct Key: Hashable {
        var root: String
        var provider: String
    }

    private static let stores = Mutex<[Key: TestStore]>([:])

    static func add(_ store: TestStore, root: String, provider: String) {
        stores.withLock { $0[Key(root: root, provider: provider)] = store }
    }

    static func remove(root: String) { stores.withLock { $0 = $0.filter { $0.key.root != root } } }

    /// The store of the provider with this document storage.
    static func store(at storage: String, provider: String) -> TestStore? {
        stores.withLock { stores in
            stores.first { $0.key.provider == provider && storage.hasPrefix($0.key.root + "/") }?.value
        }
    }

    static func store(of domain: FileProviderDomain, _ host: FileProviderHost) throws -> TestStore {
        guard let found = store(at: domain.documentStorage, provider: host.providerIdentifier) else {
            throw FileProviderError(.failed, "No test has documents of \(host.providerIdentifier).")
        }
        found.note(domain)
        return found
    }
}
