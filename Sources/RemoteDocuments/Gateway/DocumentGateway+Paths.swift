import DocentInterfaces
package import Rights

extension DocumentGateway {
    /// The path of an item from the top of its account, as its provider describes it now; nil if it does not lead
    /// there.
    package func path(of key: ItemKey) async throws -> String? {
        var names: [String] = []
        var next = key
        while next.identifier != ItemKey.rootIdentifier {
            let item = try await bare(next)
            // A limit, so that a provider cannot make us climb for ever.
            guard names.count < 256, let parent = item.parent else { return nil }
            names.append(item.name)
            next = key.sibling(parent)
        }
        return "/" + names.reversed().joined(separator: "/")
    }
}
