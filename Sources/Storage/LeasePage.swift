import CLinux
import Glibc
import Synchronization

/// A page with a generation for each item that a session's client has leased; the client reads it and only the daemon
/// writes it.
///
/// 512 slots of 8 bytes. A slot's generation only increases, even when the slot is reused, so that an old lease never
/// becomes valid again.
package final class LeasePage: Sendable {
    /// A slot and its generation when the lease was given.
    package struct Lease: Hashable, Sendable, Codable {
        /// 0 to 511.
        package let slot: Int
        /// The lease is valid while the slot holds this value.
        package let generation: UInt64
    }

    /// The number of slots in a page.
    package static let slotCount = 512
    /// The size of a page in bytes.
    package static let length = slotCount * 8

    private struct Slots {
        var free: [Int] = Array((0..<LeasePage.slotCount).reversed())
        var taken = Set<Int>()
    }

    private let file: OpenDescriptor
    private let reader: OpenDescriptor
    // Written by atomic operations only; unmapped in deinit.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    private let slots = Mutex(Slots())

    /// Creates a page and seals it: from then on the page cannot be mapped for writing, written through a descriptor,
    /// or resized.
    package init() throws {
        let file = OpenDescriptor(owning: try checked(clinux_memory_file("docent-leases", 1), "create a lease page"))
        try checked(clinux_ftruncate(file.number, Int64(Self.length)), "size the lease page")
        var mapped: UnsafeMutableRawPointer? = nil
        try checked(clinux_map_shared(file.number, Self.length, 1, &mapped), "map the lease page")
        guard let mapped else { throw FileSystemError(.failed, "The lease page has no address.") }
        do {
            try checked(
                clinux_add_seals(
                    file.number,
                    CLINUX_SEAL_FUTURE_WRITE | CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_SEAL),
                "seal the lease page")
            reader = try OpenDescriptor.reopenReadOnly(file.number)
        } catch {
            clinux_unmap(mapped, Self.length)
            throw error
        }
        self.file = file
        base = mapped
        for slot in 0..<Self.slotCount { clinux_atomic_store(mapped + slot * 8, 1) }
    }

    deinit {
        // Clients that still map the page must not find a valid lease.
        for slot in 0..<Self.slotCount { _ = clinux_atomic_add(base + slot * 8, 1) }
        clinux_unmap(base, Self.length)
    }

    /// The descriptor for the session's client, read-only; borrowed.
    package var clientDescriptor: Int32 { reader.number }

    /// Takes a free slot; nil when all are taken: the client then opens items through the daemon.
    package func allocate() -> Lease? {
        let slot = slots.withLock { slots -> Int? in
            guard let slot = slots.free.popLast() else { return nil }
            slots.taken.insert(slot)
            return slot
        }
        return slot.map { Lease(slot: $0, generation: clinux_atomic_load(base + $0 * 8)) }
    }

    /// Ends the lease of a slot and frees the slot. A slot that is not taken is ignored.
    package func free(_ slot: Int) {
        slots.withLock { slots in
            guard slots.taken.remove(slot) != nil else { return }
            _ = clinux_atomic_add(base + slot * 8, 1)
            slots.free.append(slot)
        }
    }

    /// Ends the leases on a slot because its item was replaced, evicted or revoked. Returns the new generation.
    ///
    /// Every client sees it before this returns, so the caller may confirm the replacement afterwards.
    @discardableResult
    package func bump(_ slot: Int) -> UInt64 {
        guard (0..<Self.slotCount).contains(slot) else { return 0 }
        return clinux_atomic_add(base + slot * 8, 1)
    }
}
