import HostCore
import Records
import Rights

/// Which documents of an account are in a folder, at any depth, by what the index knows of them. It asks no provider.
struct FolderMembership: Sendable {
    private struct Place: Sendable {
        var parent: ItemKey?
        var size: Int64?
    }

    // Limits, so that a provider cannot make us climb for ever or fill our memory.
    private static let deepest = 256
    private static let most = 100_000

    let folder: ItemKey
    private let index: ItemIndex
    private var places: [ItemKey: Place] = [:]

    init(_ folder: ItemKey, index: ItemIndex) {
        self.folder = folder
        self.index = index
    }

    /// Items may be elsewhere now, or their size may be another one.
    mutating func forget(_ news: NewsListener.News) {
        guard !news.isAll else {
            places = [:]
            return
        }
        for identifier in news.changed { places[folder.sibling(identifier)] = nil }
    }

    /// Looks up where items are, in as few queries as the depth needs.
    mutating func learn(_ items: some Sequence<ItemKey>) async throws {
        if places.count > Self.most { places = [:] }
        var wanted = Set(items)
        for _ in 0..<Self.deepest {
            wanted = wanted.filter { places[$0] == nil && $0 != folder }
            guard !wanted.isEmpty else { return }
            var above: Set<ItemKey> = []
            for item in try await index.items(Array(wanted)) {
                let isTop = item.key.identifier == ItemKey.rootIdentifier
                let parent = isTop ? nil : item.key.sibling(item.description.parent)
                places[item.key] = Place(parent: parent == item.key ? nil : parent, size: item.description.size)
                if let parent { above.insert(parent) }
            }
            // What the index does not have is nowhere.
            for key in wanted where places[key] == nil { places[key] = Place() }
            wanted = above
        }
    }

    /// Whether an item that was looked up is in the folder, or is the folder.
    func contains(_ item: ItemKey) -> Bool {
        var at = item
        for _ in 0..<Self.deepest {
            if at == folder { return true }
            guard let parent = places[at]?.parent else { return false }
            at = parent
        }
        return false
    }

    /// The size of an item that was looked up, if it is known.
    func size(of item: ItemKey) -> Int64? { places[item]?.size }
}
