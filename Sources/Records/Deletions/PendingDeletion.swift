package import FoundationEssentials
import GRDB
package import Rights

/// A deletion that its user can still take back: the item is gone for everybody here, and its provider, which has no
/// trash, has not been asked yet.
package struct PendingDeletion: Hashable, Sendable, Identifiable {
    /// The identifier of the ``ItemChange`` that it began as.
    package let id: String
    /// The client that deleted the item.
    package let principal: Principal
    /// The item.
    package let key: ItemKey
    /// The identifier of its folder.
    package let parent: String
    /// Its name.
    package let name: String
    /// Whether it is a folder, which is deleted with everything in it.
    package let isFolder: Bool
    /// The size of a document in bytes, if known.
    package let size: Int64?
    /// Where it was, from the top of its domain, if known.
    package let path: String?
    /// When it was deleted, in whole milliseconds.
    package let created: Date
    /// When its provider is asked, in whole milliseconds.
    package var due: Date
    /// Its place in the order in which deletions were recorded; 0 for one that is not recorded.
    package private(set) var number: Int64 = 0
    /// Whether the user does not want to wait until then.
    package var isWanted = false
    /// Whether its provider has described it, or something in it, otherwise than when it was deleted.
    package var isSuspect = false

    /// Creates a record.
    package init(
        id: String, principal: Principal, key: ItemKey, parent: String, name: String, isFolder: Bool, size: Int64?,
        path: String?, created: Date, due: Date
    ) {
        self.id = id
        self.principal = principal
        self.key = key
        self.parent = parent
        self.name = name
        self.isFolder = isFolder
        self.size = size
        self.path = path
        self.created = created.stored
        self.due = due.stored
    }

    init(row: Row) {
        self.init(
            id: row["id"], principal: Principal(row: row), key: ItemKey(row: row), parent: row["parent"],
            name: row["name"], isFolder: row["is_folder"], size: row["size"], path: row["path"],
            created: Date(milliseconds: row["created"]), due: Date(milliseconds: row["due"]))
        number = row["number"]
        isWanted = row["is_wanted"]
        isSuspect = row["is_suspect"]
    }

    var isStorable: Bool {
        key.isStorable && [id, parent, name, principal.identifier, path ?? ""].allSatisfy(\.isStorable)
    }

    /// Its name in the trash of its domain.
    package var trashed: String { Self.prefix + id }

    private static let prefix = "docent-deletion-"

    /// The identifier of the deletion that a name in the trash stands for; nil for what is in the trash of a provider.
    package static func id(trashed: String) -> String? {
        trashed.begins(with: prefix) ? String(trashed.dropFirst(prefix.count)) : nil
    }

    /// Whether an item of this name in a folder is in the way of this one, or could be for a service that ignores the
    /// case of names.
    package func blocks(_ name: String, in folder: ItemKey) -> Bool {
        key.sibling(parent) == folder && self.name.lowercased() == name.lowercased()
    }
}

/// An item that goes with a deletion, as it was then.
package struct DeletedItem: Hashable, Sendable {
    /// Its description by its provider.
    package var description: ItemDescription
    /// For a folder: when all that was in it was known; nil if it was not.
    package var listed: Date?
    /// Whether the user wanted it kept on this machine.
    package var isPinned: Bool

    /// Creates a record.
    package init(_ description: ItemDescription, listed: Date? = nil, isPinned: Bool = false) {
        self.description = description
        self.listed = listed
        self.isPinned = isPinned
    }

    /// Whether a provider now describes it otherwise: somebody has changed, moved or renamed it. The version of a
    /// folder is ignored, because it may change with what is in the folder. Pure.
    package func differs(from now: ItemDescription) -> Bool {
        guard description.isFolder == now.isFolder, description.name.isSame(as: now.name),
            description.parent.isSame(as: now.parent)
        else { return true }
        return !now.isFolder && now.hasOtherContent(than: description)
    }
}
