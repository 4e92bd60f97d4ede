package import DocentInterfaces
package import Rights
package import Storage

/// What the host keeps with a descriptor that a provider gave (L1): the item, and its JSON made once.
package struct CachedDocument: Sendable {
    /// The item as clients see it.
    package var item: Wire.Item
    /// The same, encoded.
    package var json: [UInt8]
    /// State of the file when the item was described; a file that changed in place is described anew.
    package var stamp: FileStamp
    /// Until when what is known of a remote document counts as current; nil: until something is heard.
    package var validUntil: ContinuousClock.Instant?

    package init(item: Wire.Item, stamp: FileStamp, validUntil: ContinuousClock.Instant? = nil) {
        self.item = item
        self.stamp = stamp
        self.validUntil = validUntil
        json = item.hotJSON
    }
}

/// Descriptors by item.
package typealias DocumentCache = DescriptorCache<ItemKey, CachedDocument>

extension Wire.ItemReference {
    /// The same as a key of the isolation layer.
    package var key: ItemKey { ItemKey(provider: provider, domain: domain, identifier: identifier) }
}

extension ItemKey {
    /// The same as it is on the wire.
    package var reference: Wire.ItemReference {
        Wire.ItemReference(provider: provider, domain: domain, identifier: identifier)
    }
}
