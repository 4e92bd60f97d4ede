package import DocentInterfaces

/// A place for a document: an existing item, or a name in a folder, where there need not be an item yet.
public struct DocumentPlace: Sendable, Hashable {
    /// The item itself or, with a name, the folder.
    public let reference: DocumentReference
    /// The name in the folder; nil for the item itself.
    public let name: String?

    /// Creates the place of an existing item.
    public init(_ reference: DocumentReference) {
        self.reference = reference
        name = nil
    }

    /// Creates the place of a name in a folder.
    public init(name: String, in folder: DocumentReference) {
        reference = folder
        self.name = name
    }

    package var wire: Wire.ItemPlace { Wire.ItemPlace(reference: reference.wire, name: name) }
}
