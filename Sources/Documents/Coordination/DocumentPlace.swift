package import DocentInterfaces

/// Where a document is, or is to be: an item, or a name in a folder, where nothing need be yet.
public struct DocumentPlace: Sendable, Hashable {
    /// The item itself or, with a name, the folder.
    public let reference: DocumentReference
    /// The name in the folder; nil for the item itself.
    public let name: String?

    /// The place of an item that is there.
    public init(_ reference: DocumentReference) {
        self.reference = reference
        name = nil
    }

    /// A name in a folder.
    public init(name: String, in folder: DocumentReference) {
        reference = folder
        self.name = name
    }

    package var wire: Wire.ItemPlace { Wire.ItemPlace(reference: reference.wire, name: name) }
}
