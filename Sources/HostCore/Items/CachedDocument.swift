package import DocentInterfaces
package import Rights
package import Storage

/// The data cached with a descriptor that a provider gave: the item, and its JSON encoded once.
package struct CachedDocument: Sendable {
    /// The item as clients see it.
    package var item: Wire.Item
    /// The item, encoded as JSON.
    package var json: [UInt8]
    /// State of the file when the item was described. After a change in place the item is described again.
    package var stamp: FileStamp
    /// Until when the description of a remote document counts as current; nil: until a change is reported.
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
    /// The reference as a key of the isolation layer.
    package var key: ItemKey { ItemKey(provider: provider, domain: domain, identifier: identifier) }
}

extension ItemKey {
    /// The key as a wire reference.
    package var reference: Wire.ItemReference {
        Wire.ItemReference(provider: provider, domain: domain, identifier: identifier)
    }
}
