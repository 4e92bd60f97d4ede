package import Rights
package import Storage
import Synchronization

/// The leases of one session: which item has which slot of its page.
///
/// Thread-safe. An item has at most one slot; opening it again returns the same slot with its present generation.
package final class LeaseSlots: Sendable {
    private let page: LeasePage
    private let slots = Mutex<[ItemKey: LeasePage.Lease]>([:])

    package init() throws { page = try LeasePage() }

    /// The number of the descriptor for the client: sealed and read-only.
    package var clientDescriptor: Int32 { page.clientDescriptor }

    /// The slot of an item and its present generation; nil when the page is full.
    package func lease(_ key: ItemKey) -> LeasePage.Lease? {
        slots.withLock { slots in
            if let known = slots[key] { return known }
            guard let fresh = page.allocate() else { return nil }
            slots[key] = fresh
            return fresh
        }
    }

    /// Ends the lease on an item: its generation advances, and the next open starts a new one.
    package func end(_ key: ItemKey) {
        slots.withLock { slots in
            guard let lease = slots.removeValue(forKey: key) else { return }
            _ = page.bump(lease.slot)
            page.free(lease.slot)
        }
    }

    /// Ends the leases on all items that match.
    package func end(where matches: (ItemKey) -> Bool) {
        for key in slots.withLock({ slots in slots.keys.filter(matches) }) { end(key) }
    }

    /// Frees a slot that its client no longer needs.
    package func release(slot: Int) {
        slots.withLock { slots in
            guard let key = slots.first(where: { $0.value.slot == slot })?.key else { return }
            slots[key] = nil
            _ = page.bump(slot)
            page.free(slot)
        }
    }

    /// How many items have a lease.
    package var count: Int { slots.withLock { $0.count } }
}
