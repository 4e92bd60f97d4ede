import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import RemoteDocuments
import Rights

/// Learns what is in a folder when it is deleted, so that what somebody else puts there or changes there later is
/// recognised, and is not deleted.
struct DeletedTree: Sendable {
    // So many folders are asked for; what is in the others counts as known to the one who deletes them.
    private static let mostListings = 200
    // A listing that is not older than so many seconds is not asked for again.
    private static let fresh = 10.0

    private let parts: RemoteParts
    private let catalog: RemoteCatalog

    init(_ parts: RemoteParts, _ catalog: RemoteCatalog) {
        self.parts = parts
        self.catalog = catalog
    }

    /// Lists a folder and the folders below it.
    ///
    /// - Returns: the folders that were not listed.
    /// - Throws: ``Failure``, if the provider does not answer.
    func look(_ root: RemoteItem) async throws -> Set<ItemKey> {
        let start = Date.now.addingTimeInterval(-Self.fresh)
        var asked: Set<ItemKey> = []
        while true {
            let top = try await parts.index.item(root.key) ?? root
            let tree = [top] + (try await parts.index.descendants(of: root.key))
            let rest = tree.filter { item in
                item.description.isFolder && !item.isProvisional && !asked.contains(item.key)
                    && (item.listed.map { $0 < start } ?? true)
            }
            guard !rest.isEmpty else { return [] }
            for folder in rest {
                guard asked.count < Self.mostListings else { return Set(rest.map(\.key)).subtracting(asked) }
                asked.insert(folder.key)
                do {
                    _ = try await catalog.list(folder.key)
                } catch let failure as Failure {
                    switch Existence(failure) {
                    // Somebody else has just deleted it, or it cannot be looked into.
                    case .missing: continue
                    case .refused: try Task.checkCancellation()
                    case .unknown: throw failure
                    }
                }
            }
        }
    }
}

extension RemoteItem {
    /// Whether its provider says that it can be deleted, or says nothing about it.
    var mayBeDeleted: Bool { description.capabilities?.contains("delete") ?? true }
}
