package import DocentInterfaces
package import HostCore
package import Rights
package import Storage

/// An open document, as it is returned to the client.
package struct OpenedDocument: Sendable {
    /// The item as JSON.
    package var json: [UInt8]
    /// The item.
    package var item: Wire.Item
    /// The open file.
    package var file: OpenDescriptor
    /// The lease, if one was requested.
    package var lease: (descriptor: Int32, slot: Int, generation: UInt64)?
    /// The number under which its parts are fetched; nil when the whole content is in the file.
    package var reading: Int?

    package init(
        json: [UInt8], item: Wire.Item, file: OpenDescriptor,
        lease: (descriptor: Int32, slot: Int, generation: UInt64)?
    ) {
        self.json = json
        self.item = item
        self.file = file
        self.lease = lease
    }
}

/// Opens documents for claims, and ends their use when the claims end.
package protocol ClaimedDocuments: Sendable {
    /// Opens a granted document whose content is local, on the calling thread; nil if more is needed.
    ///
    /// - Parameter claim: the claim that ends the use; if nil, the use lasts until the session ends it or is closed.
    func openQuickly(_ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64?) throws -> OpenedDocument?
    /// Opens a granted document, fetching its content first if necessary.
    func open(_ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64?) async throws -> OpenedDocument
    /// Called when a reading claim has ended: the document that it opened is no longer in use.
    ///
    /// - Parameter keepsUse: whether the session goes on using the document.
    func endReading(_ session: Session, _ key: ItemKey, claim: UInt64, keepsUse: Bool)
    /// Called when a reading claim has failed, whatever it had opened by then.
    func abandonReading(_ session: Session, claim: UInt64)
}
