package import DocentInterfaces

/// A document that the validator created, and the content that it must have.
package struct ModelFile: Sendable {
    /// The item as the provider reported it last.
    package var item: Wire.ProviderItem
    /// The content that it must have.
    package var content: [UInt8]

    /// Creates a model of a document.
    package init(item: Wire.ProviderItem, content: [UInt8]) {
        self.item = item
        self.content = content
    }

    /// Its identifier.
    package var identifier: String { item.identifier }
}
