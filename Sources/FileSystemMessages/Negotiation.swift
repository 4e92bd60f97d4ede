import CFUSE

/// What the file system agrees with the kernel at the start. Pure.
package enum Negotiation {
    /// The version of the messages that are spoken here.
    package static let major: UInt32 = 7
    /// Minor versions before this one have shorter messages.
    package static let leastMinor: UInt32 = 31
    /// The largest read and write, in bytes.
    package static let largestTransfer = 1 << 20
    /// The size of the buffer for a request, in bytes.
    package static let bufferSize = largestTransfer + 4096

    static let wanted: Features = [
        .parallelReads, .opensEmptied, .largeWrites, .listsAttributes, .listsAttributesWhenUsed, .parallelFolders,
        .largeRequests, .remembersLinks, .invalidatesContent, .hasNoPrivileges, .manyFeatures, .repeatsRequests,
    ]

    /// The version, features and sizes that both sides use.
    package struct Agreement: Sendable, Hashable {
        package var minor: UInt32
        package var features: Features
        /// In bytes.
        package var readAhead: UInt32

        var wire: fuse_init_out {
            var result = fuse_init_out()
            result.major = Negotiation.major
            result.minor = minor
            result.max_readahead = readAhead
            result.flags = UInt32(truncatingIfNeeded: features.rawValue)
            result.flags2 = UInt32(truncatingIfNeeded: features.rawValue >> 32)
            result.max_background = 64
            result.congestion_threshold = 48
            result.max_write = UInt32(Negotiation.largestTransfer)
            result.max_pages = UInt16(Negotiation.largestTransfer / 4096)
            result.time_gran = 1
            return result
        }
    }

    /// The answer to the kernel's offer.
    ///
    /// - Returns: nil if the kernel is too old.
    package static func agreement(to offer: KernelRequest.Offer) -> Agreement? {
        guard offer.major == major, offer.minor >= leastMinor else { return nil }
        return Agreement(
            // The kernel takes the lesser of the two.
            minor: min(offer.minor, UInt32(FUSE_KERNEL_MINOR_VERSION)), features: wanted.intersection(offer.features),
            readAhead: min(offer.readAhead, UInt32(largestTransfer)))
    }
}
