package import Rights

/// The metadata that clients sent for creations that have not begun yet (K10), in order of arrival. It is bounded for
/// each client, so that a client loses only its own entries. It is also bounded in total; then the client with the most
/// entries loses its oldest. Pure.
package struct WaitingMetadata<Given: Sendable>: Sendable {
    /// How many entries of one client, and of all clients, may wait.
    package static var maximumOfOne: Int { 16 }
    package static var maximum: Int { 64 }

    private struct Entry: Sendable {
        var principal: Principal
        var operation: String
        var given: Given
    }

    private var entries: [Entry] = []

    package init() {}

    /// The number of waiting entries.
    package var count: Int { entries.count }

    /// Stores a client's metadata for an operation, replacing its earlier metadata for the same operation.
    package mutating func put(_ given: Given, _ operation: String, of principal: Principal) {
        _ = take(operation, of: principal)
        let own = entries.indices.filter { entries[$0].principal == principal }
        if own.count >= Self.maximumOfOne, let oldest = own.first {
            entries.remove(at: oldest)
        } else if entries.count >= Self.maximum, let oldest = oldestOfLargest {
            entries.remove(at: oldest)
        }
        entries.append(Entry(principal: principal, operation: operation, given: given))
    }

    /// Removes and returns a client's metadata for an operation; nil when there is none.
    package mutating func take(_ operation: String, of principal: Principal) -> Given? {
        guard let index = entries.firstIndex(where: { $0.operation == operation && $0.principal == principal }) else {
            return nil
        }
        return entries.remove(at: index).given
    }

    private var oldestOfLargest: Int? {
        let counts = entries.map { entry in entries.count { $0.principal == entry.principal } }
        return counts.max().flatMap(counts.firstIndex)
    }
}
