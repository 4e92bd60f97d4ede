import CLinux

/// A client's view of its lease page.
package final class LeaseReader: Sendable {
    // Read by atomic operations only; unmapped in deinit.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer

    /// Maps the page for reading. The descriptor is borrowed and may be closed afterwards.
    ///
    /// - Throws: `.unacceptable` when the file could shrink under the mapping or has the wrong size.
    package init(descriptor: Int32) throws {
        let seals = clinux_get_seals(descriptor)
        guard seals >= 0, seals & CLINUX_SEAL_SHRINK != 0,
            try FileStatus(of: descriptor).size == UInt64(LeasePage.length)
        else {
            throw FileSystemError(.unacceptable, "The descriptor is not a lease page.")
        }
        var mapped: UnsafeMutableRawPointer? = nil
        try checked(clinux_map_shared(descriptor, LeasePage.length, 0, &mapped), "map the lease page")
        guard let mapped else { throw FileSystemError(.failed, "The lease page has no address.") }
        base = mapped
    }

    deinit { clinux_unmap(base, LeasePage.length) }

    /// The slot's current generation; 0, which is not valid for any lease, for a slot outside the page.
    package func generation(of slot: Int) -> UInt64 {
        guard (0..<LeasePage.slotCount).contains(slot) else { return 0 }
        return clinux_atomic_load(base + slot * 8)
    }

    /// Whether the lease is still valid.
    package func isValid(_ lease: LeasePage.Lease) -> Bool {
        lease.generation != 0 && generation(of: lease.slot) == lease.generation
    }
}
