package import FoundationEssentials
import GRDB
package import Rights

/// A change that a client made and the user may take back.
package struct UndoableChange: Hashable, Sendable, Identifiable {
    /// What was changed.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The item was deleted.
        case delete
        /// The item was moved to another folder, with or without another name.
        case move
        /// The item got another name in its folder.
        case rename
        /// The content of the document was replaced.
        case overwrite
    }

    /// A unique name.
    package let id: String
    /// The client that made it.
    package let principal: Principal
    /// What was changed.
    package let kind: Kind
    /// The item, under its identifier after the change.
    package let key: ItemKey
    /// The item's name after the change, or when it was deleted.
    package let name: String
    /// The identifier of its folder after the change, or when it was deleted; empty for a save.
    package let parent: String
    /// The item's name before the change.
    package let formerName: String
    /// The identifier of its folder before the change; empty for a save.
    package let formerParent: String
    /// Whether the item is a folder.
    package let isFolder: Bool
    /// The version of the content after the change; nil if it is not known.
    package let version: String?
    /// Whether a deleted item was moved to the trash of its provider.
    package let isTrashed: Bool
    /// The deleted item's identifier in the trash; nil if it is not known.
    package let trashed: String?
    /// The kept version that has the replaced content.
    package let keptVersion: String?
    /// When it was made, in whole milliseconds once stored.
    package let created: Date

    /// Creates a record.
    package init(
        id: String, principal: Principal, kind: Kind, key: ItemKey, name: String, parent: String, formerName: String,
        formerParent: String, isFolder: Bool, version: String? = nil, isTrashed: Bool = false, trashed: String? = nil,
        keptVersion: String? = nil, created: Date = .now
    ) {
        self.id = id
        self.principal = principal
        self.kind = kind
        self.key = key
        self.name = name
        self.parent = parent
        self.formerName = formerName
        self.formerParent = formerParent
        self.isFolder = isFolder
        self.version = version
        self.isTrashed = isTrashed
        self.trashed = trashed
        self.keptVersion = keptVersion
        self.created = created
    }

    init?(row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        self.init(
            id: row["id"], principal: Principal(row: row), kind: kind, key: ItemKey(row: row), name: row["name"],
            parent: row["parent"], formerName: row["former_name"], formerParent: row["former_parent"],
            isFolder: row["is_folder"], version: row["version"], isTrashed: row["is_trashed"], trashed: row["trashed"],
            keptVersion: row["kept_version"], created: Date(milliseconds: row["created"]))
    }
}

extension UndoableChange {
    /// Begins the names of the saves that take a change back. They are not changes to take back themselves.
    package static let undoing = "undo-"
    private static let saving = "save-"

    /// A save that replaced a content, which is kept as a version; nil for one that takes another change back. A
    /// confined client takes nothing back, however it names its saves.
    init?(_ operation: JournaledOperation, replacing version: KeptVersion, at moment: Date) {
        guard operation.principal.isConfined || !operation.operation.hasPrefix(Self.undoing) else { return nil }
        self.init(
            id: Self.saving + operation.id, principal: operation.principal, kind: .overwrite, key: version.key,
            name: version.name, parent: "", formerName: version.name, formerParent: "", isFolder: false,
            keptVersion: version.id, created: moment)
    }

    /// For a save, the ``JournaledOperation/id`` of its operation.
    package var save: String? {
        kind == .overwrite && id.hasPrefix(Self.saving) ? String(id.dropFirst(Self.saving.count)) : nil
    }

    /// The ``JournaledOperation/id`` of the save that an operation with this name takes back; nil for any other name.
    package static func save(undoneBy operation: String) -> String? {
        let start = undoing + saving
        return operation.hasPrefix(start) ? String(operation.dropFirst(start.count)) : nil
    }

    /// What a finished move or deletion is for the user; nil for a change that is not taken back.
    init?(_ change: ItemChange) {
        let kind: Kind
        switch change.kind {
        case .makeFolder: return nil
        case .delete: kind = .delete
        case .move: kind = Optional(change.parent).isSame(as: change.formerParent) ? .rename : .move
        }
        // A change that an earlier release began says less.
        guard let formerParent = change.formerParent, change.isTemporary != true else { return nil }
        self.init(
            id: change.id, principal: change.principal, kind: kind, key: change.resultKey ?? change.key,
            name: change.name, parent: change.parent, formerName: change.formerName, formerParent: formerParent,
            isFolder: change.isFolder == true, version: change.version, isTrashed: change.isTrashed == true,
            trashed: change.trashed, created: change.created)
    }
}
