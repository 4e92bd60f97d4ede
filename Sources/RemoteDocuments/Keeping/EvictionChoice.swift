package import Records

/// Which local copies to evict. Pure.
package enum EvictionChoice {
    /// The least recently used copies that together free the given number of bytes; fewer when there are not enough.
    ///
    /// - Parameters:
    ///   - copies: least recently used first.
    ///   - mayGo: whether a copy is neither open, nor pinned, nor unsent (O1, O2).
    package static func victims(
        _ copies: [RemoteItem], freeing bytes: Int64, mayGo: (RemoteItem) -> Bool
    ) -> [RemoteItem] {
        guard bytes > 0 else { return [] }
        var chosen: [RemoteItem] = []
        var freed: Int64 = 0
        for copy in copies where freed < bytes {
            guard let local = copy.local, local.size > 0, mayGo(copy) else { continue }
            chosen.append(copy)
            freed += local.size
        }
        return chosen
    }

    /// The bytes to free to keep within a quota.
    ///
    /// - Parameters:
    ///   - used: the bytes of local copies and of running downloads.
    package static func excess(quota: Int64, used: Int64, adding size: Int64) -> Int64 {
        let (wanted, overflow) = used.addingReportingOverflow(size)
        return overflow ? .max : max(0, wanted - quota)
    }
}
