import DocentInterfaces
import HostCore
import Records
import RemoteDocuments
import Rights

/// Counts the documents that go with a folder, only as far as a limit needs it. The elements of a package count too:
/// any folder can be named like one.
struct DeletedDocuments: Sendable {
    // Of a local folder, so many folders are looked through, and more than that is too many; of a remote one, so many
    // are asked for.
    private static let mostFolders = 1_000
    private static let mostListings = 100

    let gateway: DocumentGateway
    let parts: RemoteParts
    let catalog: RemoteCatalog

    /// How many documents are deleted with an item.
    ///
    /// - Parameter most: where counting ends.
    /// - Returns: at most `most`. That is also the answer for a folder with too many folders in it to be counted.
    func count(in key: ItemKey, isRemote: Bool, most: Int) async throws -> Int {
        guard try await gateway.bare(key).isFolder else { return 1 }
        return try await isRemote ? countRemotely(key, most) : countInPlace(key, most)
    }

    private func countInPlace(_ key: ItemKey, _ most: Int) async throws -> Int {
        var (count, visited, folders) = (0, 0, [key])
        while let folder = folders.popLast() {
            visited += 1
            guard visited <= Self.mostFolders else { return most }
            var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
            var page: String?
            repeat {
                let (items, next) = try await gateway.children(of: folder, page: page)
                count += items.count { !$0.isFolder }
                guard count < most else { return most }
                folders += items.filter(\.isFolder).map(\.reference.key)
                page = try pages.next(next, items: items.count)
            } while page != nil
        }
        return count
    }

    // What is known here, after asking for the folders that were never listed.
    private func countRemotely(_ given: ItemKey, _ most: Int) async throws -> Int {
        let root = try await catalog.current(given)
        var asked: Set<ItemKey> = []
        while true {
            let tree = try await parts.index.descendants(of: root.key)
            let count = tree.count { !$0.description.isFolder }
            guard count < most else { return most }
            let unlisted = ([root] + tree).filter { item in
                item.description.isFolder && item.listed == nil && !item.isProvisional && !asked.contains(item.key)
            }
            guard !unlisted.isEmpty else { return count }
            for folder in unlisted {
                guard asked.count < Self.mostListings else { return most }
                asked.insert(folder.key)
                do {
                    _ = try await catalog.list(folder.key)
                } catch let failure as Failure {
                    switch Existence(failure) {
                    // Somebody else has just deleted it.
                    case .missing: continue
                    // Nobody knows how many there are.
                    case .refused:
                        try Task.checkCancellation()
                        return most
                    case .unknown: throw failure
                    }
                }
            }
        }
    }
}
