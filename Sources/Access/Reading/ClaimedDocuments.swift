package import DocentInterfaces
package import HostCore
package import Rights
package import Storage

/// What an open document is for whoever opened it.
package struct OpenedDocument: Sendable {
    /// The item as JSON.
    package var json: [UInt8]
    /// The item.
    package var item: Wire.Item
    /// The open file.
    package var file: OpenDescriptor
    /// Its lease, where one was asked for.
    package var lease: (descriptor: Int32, slot: Int, generation: UInt64)?

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
    /// Opens a granted document whose content the host has, on the calling thread; nil when it takes more than that.
    ///
    /// - Parameter claim: the claim with which the use of it ends; nil: it lasts until the session says so, or ends.
    func openQuickly(_ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64?) throws -> OpenedDocument?
    /// Opens a granted document, fetching its content first if need be.
    func open(_ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64?) async throws -> OpenedDocument
    /// A claimed reading is over, and so is its use of what it opened.
    ///
    /// - Parameter keepsUse: the session goes on using it.
    func endReading(_ session: Session, _ key: ItemKey, claim: UInt64, keepsUse: Bool)
    /// A claimed reading has failed, whatever it had opened by then.
    func abandonReading(_ session: Session, claim: UInt64)
}
