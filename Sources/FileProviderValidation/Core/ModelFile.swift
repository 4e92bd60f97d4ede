package import DocentInterfaces

/// A document that the validator made, and what it knows must be in it.
package struct ModelFile: Sendable {
    /// The item as the provider told it last.
    package var item: Wire.ProviderItem
    /// What must be in it.
    package var content: [UInt8]

    /// A document.
    package init(item: Wire.ProviderItem, content: [UInt8]) {
        self.item = item
        self.content = content
    }

    /// Its identifier.
    package var identifier: String { item.identifier }
}
