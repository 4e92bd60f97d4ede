package import Rights

/// What clients gave for creations that are still to begin (K10), in the order in which it came. Bounded for each client, so that one
/// that gives much makes only its own go; and altogether, where it is that of who has the most. Pure.
package struct WaitingMetadata<Given: Sendable>: Sendable {
    /// How many of one client, and of all, may wait.
    package static var maximumOfOne: Int { 16 }
    package static var maximum: Int { 64 }

    private struct Entry: Sendable {
        var principal: Principal
        var operation: String
        var given: Given
    }

    private var entries: [Entry] = []

    package init() {}

    /// How many wait.
    package var count: Int { entries.count }

    /// Keeps what a client gave for an operation, in the place of what it gave for the same one before.
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

    /// What a client gave for an operation, which then waits no more; nil where there is nothing of it.
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
