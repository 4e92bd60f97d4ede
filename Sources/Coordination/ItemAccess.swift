/// A claim's access to one item.
package struct ItemAccess: Hashable, Sendable {
    /// Reading or writing, with options.
    package enum Intent: Hashable, Sendable {
        /// Several claims may read at the same time.
        case reading(ReadingOptions)
        /// Only one claim may write.
        case writing(WritingOptions)
    }

    /// The item's location. It changes when the item is moved while the claim is open.
    package var location: ItemLocation
    /// How the item is accessed.
    package let intent: Intent
    /// The symbolic link by which the item was named, if the accessor receives the link. The access waits for the same
    /// claims as one to the link's target.
    package let link: CoordinatedItem?

    /// Creates an access.
    package init(_ location: ItemLocation, _ intent: Intent, link: CoordinatedItem? = nil) {
        self.location = location
        self.intent = intent
        self.link = link
    }

    /// Creates an access.
    package init(location: ItemLocation, intent: Intent, link: CoordinatedItem? = nil) {
        self.init(location, intent, link: link)
    }

    /// Whether a symbolic link is followed for an intent. Moving and deleting apply to the link itself.
    package static func followsLinks(_ intent: Intent) -> Bool {
        if case .writing(let options) = intent { return options.isDisjoint(with: [.forDeleting, .forMoving]) }
        return true
    }

    /// Whether this is a writing access.
    package var isWriting: Bool {
        if case .writing = intent { return true }
        return false
    }

    /// Whether the write concerns everything inside a folder.
    package var concernsContents: Bool {
        if case .writing(let options) = intent { return options.concernsContents }
        return false
    }

    /// Whether it refers to whatever is at a place instead of an item that can be moved away.
    package var replaces: Bool {
        if case .writing(let options) = intent { return options.contains(.forReplacing) }
        return false
    }

    /// Whether the provider must first make something available: the content, or the placeholder for attributes.
    package var needsProvider: Bool {
        switch intent {
        case .reading: true
        case .writing(let options):
            options.isDisjoint(with: [.contentIndependentMetadataOnly, .forEvicting]) && !options.concernsContents
        }
    }

    /// Whether claims of different purposes cannot have both accesses at the same time. Reading only attributes also
    /// counts as reading: it does not wait for content, but it does wait for writers.
    package func conflicts(with other: ItemAccess) -> Bool {
        if (isWriting || other.isWriting) && location.unit == other.location.unit { return true }
        return (concernsContents && other.location.folders.contains(location.item))
            || (other.concernsContents && location.folders.contains(other.location.item))
    }
}
