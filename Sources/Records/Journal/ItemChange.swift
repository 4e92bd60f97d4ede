package import FoundationEssentials
package import Rights

/// A move, a deletion or a new folder that a client requested, recorded before the provider is asked.
package struct ItemChange: Hashable, Sendable, Codable, Identifiable {
    /// The requested change.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Another name, another folder, or both.
        case move
        /// A deletion.
        case delete
        /// A new folder.
        case makeFolder
    }

    /// The change's unique identifier, assigned here; the provider knows the change by it.
    package let id: String
    /// The client's name for the change.
    package let operation: String
    /// The client that requested it.
    package let principal: Principal
    /// The requested change.
    package let kind: Kind
    /// The item; for a new folder, its parent folder.
    package let key: ItemKey
    /// The identifier of the destination folder.
    package let parent: String
    /// The new name.
    package let name: String
    /// The name before the change.
    package let formerName: String
    /// The known version of the content.
    package let version: String?
    /// When it began.
    package let created: Date
    /// The identifier of the item's folder before the change; nil for a new folder.
    package let formerParent: String?
    /// Whether the item is a folder; nil for a new folder.
    package let isFolder: Bool?
    /// The change of the user that this one takes back.
    package var undoes: String?
    /// Whether a deletion can be taken back: it moves the item to the trash of its provider, or has a ``finalDate``.
    package var isTrashed: Bool?
    /// When the provider of a deleted item is asked to delete it, because it has no trash.
    package var finalDate: Date?
    /// Whether a deletion is nothing that the user takes back.
    package var isTemporary: Bool?
    /// The item's identifier in the trash, if its provider said it.
    package var trashed: String?
    /// The item's identifier afterwards; nil until it is done.
    package var result: String?
    /// Whether everything is done, including cleaning up.
    package var isFinished = false

    /// Creates the record of a request.
    package init(
        _ kind: Kind, of key: ItemKey, to parent: String, name: String, formerName: String, version: String?,
        operation: String, principal: Principal, from formerParent: String? = nil, isFolder: Bool? = nil,
        at moment: Date = .now
    ) {
        id = UUID().uuidString
        self.operation = operation
        self.principal = principal
        self.kind = kind
        self.key = key
        self.parent = parent
        self.name = name
        self.formerName = formerName
        self.version = version
        self.formerParent = formerParent
        self.isFolder = isFolder
        created = moment.stored
    }

    /// The item's key afterwards; nil until it is done.
    package var resultKey: ItemKey? { result.map(key.sibling) }
}
