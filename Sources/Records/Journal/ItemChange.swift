package import FoundationEssentials
package import Rights

/// A move or a deletion of an item that a client asked for, on record before its provider is.
package struct ItemChange: Hashable, Sendable, Codable, Identifiable {
    /// What was asked for.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Another name, another folder, or both.
        case move
        /// To be gone.
        case delete
        /// A new folder.
        case makeFolder
    }

    /// The name under which the provider knows it: unique, made by us.
    package let id: String
    /// The client's name for it.
    package let operation: String
    /// Whose it is.
    package let principal: Principal
    /// What was asked for.
    package let kind: Kind
    /// The item; of a folder in the making, the folder that it is to be in.
    package let key: ItemKey
    /// The identifier of the folder that it goes to.
    package let parent: String
    /// The name that it gets.
    package let name: String
    /// The name that it has.
    package let formerName: String
    /// The version of the content that was known.
    package let version: String?
    /// When it began.
    package let created: Date
    /// The identifier that the item has afterwards; nil until it is done.
    package var result: String?
    /// Whether nothing is left to do, cleaning up included.
    package var isFinished = false

    /// Records a wish.
    package init(
        _ kind: Kind, of key: ItemKey, to parent: String, name: String, formerName: String, version: String?,
        operation: String, principal: Principal, at moment: Date = .now
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
        created = moment.stored
    }

    /// The item as it is known afterwards; nil until it is done.
    package var resultKey: ItemKey? { result.map(key.sibling) }
}
