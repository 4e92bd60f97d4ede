import CFUSE

/// What the kernel and the file system may agree to use.
package struct Features: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Several reads of a file may be on their way at once.
    package static let parallelReads = Features(rawValue: UInt64(FUSE_ASYNC_READ))
    /// Opening with O_TRUNC is one request.
    package static let opensEmptied = Features(rawValue: UInt64(FUSE_ATOMIC_O_TRUNC))
    /// Writes of more than a page.
    package static let largeWrites = Features(rawValue: UInt64(FUSE_BIG_WRITES))
    /// Listings may bring the attributes of their entries.
    package static let listsAttributes = Features(rawValue: UInt64(FUSE_DO_READDIRPLUS))
    /// The kernel asks for these only when they are used.
    package static let listsAttributesWhenUsed = Features(rawValue: UInt64(FUSE_READDIRPLUS_AUTO))
    /// Several look-ups in a folder may be on their way at once.
    package static let parallelFolders = Features(rawValue: UInt64(FUSE_PARALLEL_DIROPS))
    /// The number of pages of a request is agreed.
    package static let largeRequests = Features(rawValue: UInt64(FUSE_MAX_PAGES))
    /// The targets of links are remembered.
    package static let remembersLinks = Features(rawValue: UInt64(FUSE_CACHE_SYMLINKS))
    /// Only the file system says when content that the kernel remembers is out of date.
    package static let invalidatesContent = Features(rawValue: UInt64(FUSE_EXPLICIT_INVAL_DATA))
    /// A write takes away no rights that a program file has: there are none. The kernel need not ask at each write.
    package static let hasNoPrivileges = Features(rawValue: UInt64(FUSE_HANDLE_KILLPRIV_V2))
    /// Features beyond the first 32 are meant too.
    package static let manyFeatures = Features(rawValue: UInt64(FUSE_INIT_EXT))
    /// Requests are sent again to a new reader that asks for them.
    package static let repeatsRequests = Features(rawValue: UInt64(CFUSE_HAS_RESEND))
}
