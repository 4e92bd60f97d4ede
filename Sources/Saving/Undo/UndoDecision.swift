package import Records

/// Whether a change can be taken back, and how. Pure.
package enum UndoDecision: Hashable, Sendable {
    /// The item is restored from the trash, under its identifier there.
    case restore(trashed: String)
    /// The item is moved back.
    case moveBack
    /// A kept version becomes the content again.
    case putBack(version: String)
    /// Everything is as it was before the change.
    case nothing
    /// Something stands in the way.
    case refuse(Obstacle)

    /// Why a change cannot be taken back.
    package enum Obstacle: Hashable, Sendable {
        /// The item was deleted for good.
        case deletedForGood
        /// The item is no longer in the trash.
        case notInTrash
        /// The item is gone.
        case gone
        /// The item was moved or renamed again.
        case movedAgain
        /// The folder that it was in does not exist any more.
        case folderGone
        /// Another item has its former name.
        case nameTaken
        /// The document was saved again.
        case savedAgain
        /// The content that was replaced is not kept any more.
        case notKept
    }

    /// What is known now about the item of a change.
    package struct Situation: Hashable, Sendable {
        /// Where an item is: its folder's identifier and its name.
        package struct Place: Hashable, Sendable {
            package var parent: String
            package var name: String

            package init(parent: String, name: String) {
                self.parent = parent
                self.name = name
            }

            func isSame(as other: Place) -> Bool {
                Array(parent.utf8) == Array(other.parent.utf8) && Array(name.utf8) == Array(other.name.utf8)
            }
        }

        /// Where the item is now; nil if there is none with its identifier.
        package var place: Place?
        /// Whether the folder that it was in exists.
        package var hasFormerFolder: Bool
        /// Whether another item has its former name in that folder.
        package var isNameTaken: Bool
        /// The item's identifier in the trash, if it is there.
        package var trashed: String?
        /// Whether the content is what the change saved.
        package var hasSavedContent: Bool
        /// The version with the content before the change, if it is kept.
        package var version: String?

        package init(
            place: Place? = nil, hasFormerFolder: Bool = true, isNameTaken: Bool = false, trashed: String? = nil,
            hasSavedContent: Bool = false, version: String? = nil
        ) {
            self.hasSavedContent = hasSavedContent
            self.version = version
            self.place = place
            self.hasFormerFolder = hasFormerFolder
            self.isNameTaken = isNameTaken
            self.trashed = trashed
        }
    }

    /// Decides about a change.
    package init(_ change: UndoableChange, _ now: Situation) {
        let former = Situation.Place(parent: change.formerParent, name: change.formerName)
        switch change.kind {
        case .overwrite:
            if now.place == nil {
                self = .refuse(.gone)
            } else if !now.hasSavedContent {
                self = .refuse(.savedAgain)
            } else {
                self = now.version.map { .putBack(version: $0) } ?? .refuse(.notKept)
            }
        case .delete:
            if let place = now.place, place.isSame(as: former) {
                self = .nothing
            } else if !change.isTrashed {
                self = .refuse(.deletedForGood)
            } else if now.place != nil {
                self = .refuse(.movedAgain)
            } else if let trashed = now.trashed {
                self = Self.checked(now) ?? .restore(trashed: trashed)
            } else {
                self = .refuse(.notInTrash)
            }
        case .move, .rename:
            guard let place = now.place else {
                self = .refuse(.gone)
                return
            }
            if place.isSame(as: former) {
                self = .nothing
            } else if !place.isSame(as: .init(parent: change.parent, name: change.name)) {
                self = .refuse(.movedAgain)
            } else {
                self = Self.checked(now) ?? .moveBack
            }
        }
    }

    private static func checked(_ now: Situation) -> UndoDecision? {
        guard now.hasFormerFolder else { return .refuse(.folderGone) }
        return now.isNameTaken ? .refuse(.nameTaken) : nil
    }
}
