package import DocentInterfaces
package import Rights

/// Follows symbolic links (2.3); the only place that does. Pure except for `ask`.
///
/// Following a link gives no right: callers check the client's right to the target (law 2).
package enum SymbolicLinks {
    /// The most links in a row that are followed.
    package static let longestChain = 8

    /// The item to use in place of a given one: itself, or the target if it is a link.
    ///
    /// - Parameters:
    ///   - key: the key of an item.
    ///   - target: the identifier that a link leads to; nil for an item that is not a link.
    ///   - ask: returns another item of the domain.
    /// - Throws: ``Failure`` `InvalidArgument` for links in a circle or a chain longer than ``longestChain``; what
    ///   `ask` throws.
    package static func end<Item>(
        of first: Item, key: (Item) -> ItemKey, target: (Item) -> String?,
        ask: (ItemKey) async throws -> Item
    ) async throws -> Item {
        var item = first
        var seen: Set<ItemKey> = [key(first)]
        while let next = target(item).map({ key(item).sibling($0) }) {
            guard seen.insert(next).inserted else {
                throw Failure(
                    .invalidArgument, "The link leads back to itself in a circle.",
                    suggestion: "Point the link to a document.", provider: next.provider)
            }
            guard seen.count <= longestChain + 1 else {
                throw Failure(
                    .invalidArgument, "The link goes through more than \(longestChain) other links.",
                    suggestion: "Point the link directly to the document.", provider: next.provider)
            }
            item = try await ask(next)
        }
        return item
    }

    /// The same for items as clients see them.
    package static func end(
        of first: Wire.Item, ask: (ItemKey) async throws -> Wire.Item
    ) async throws -> Wire.Item {
        try await end(of: first, key: { $0.reference.key }, target: { $0.symbolicLinkTarget }, ask: ask)
    }

    /// The target that a provider states for an item, if it can be an identifier; a folder is never a link.
    package static func target(_ item: Wire.ProviderItem) -> String? {
        guard let target = item.symbolicLinkTarget, !item.isFolder, !target.isEmpty, target.utf8.count <= 4_096,
            !target.utf8.contains(0), !target.begins(with: ".docent-")
        else { return nil }
        return target
    }

    /// The failure for reading a link, which has no content.
    package static func refusal(_ name: String, _ provider: String) -> Failure {
        Failure(
            .invalidArgument, "\"\(name)\" is a link; only its target has content.",
            suggestion: "Use its target instead.", provider: provider)
    }
}
