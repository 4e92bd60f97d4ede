/// What a claim wants to do with one item.
package struct ItemAccess: Hashable, Sendable {
    /// Reading or writing, and how.
    package enum Intent: Hashable, Sendable {
        /// Several may read at once.
        case reading(ReadingOptions)
        /// One alone may write.
        case writing(WritingOptions)
    }

    /// Where the item lies. It changes when the item is moved while the claim is open (2.5).
    package var location: ItemLocation
    /// What is done to it.
    package let intent: Intent
    /// The symbolic link by which it was asked for, where the accessor is to be given that (2.2); it waits for whom its
    /// target waits.
    package let link: ItemKey?

    /// Describes an access.
    package init(_ location: ItemLocation, _ intent: Intent, link: ItemKey? = nil) {
        self.location = location
        self.intent = intent
        self.link = link
    }

    /// Describes an access.
    package init(location: ItemLocation, intent: Intent, link: ItemKey? = nil) {
        self.init(location, intent, link: link)
    }

    /// Whether it is had of what a link leads to: what gives an item another place, or removes it, does so to the link
    /// itself.
    package var followsLinks: Bool { Self.followsLinks(intent) }

    /// The same of what is to be done.
    package static func followsLinks(_ intent: Intent) -> Bool {
        if case .writing(let options) = intent { return options.isDisjoint(with: [.forDeleting, .forMoving]) }
        return true
    }

    /// Whether it writes.
    package var isWriting: Bool {
        if case .writing = intent { return true }
        return false
    }

    /// Whether it writes in a way that concerns everything inside a directory (2.3).
    package var concernsContents: Bool {
        if case .writing(let options) = intent { return options.concernsContents }
        return false
    }

    /// Whether it means whatever is at a place rather than an item that can be moved away (2.2).
    package var replaces: Bool {
        if case .writing(let options) = intent { return options.contains(.forReplacing) }
        return false
    }

    /// Whether the provider is asked to have something there first: content, or the placeholder for attributes
    /// (2.10, 3 and 5).
    package var needsProvider: Bool {
        switch intent {
        case .reading: true
        case .writing(let options):
            options.isDisjoint(with: [.contentIndependentMetadataOnly, .forEvicting]) && !options.concernsContents
        }
    }

    /// Whether the two may not be had at once by claims of different purposes: the table of 2.3. Reading attributes
    /// alone is reading (2.2): it does not wait for content, but for writers it does.
    package func conflicts(with other: ItemAccess) -> Bool {
        if (isWriting || other.isWriting) && location.unit == other.location.unit { return true }
        return (concernsContents && other.location.folders.contains(location.item))
            || (other.concernsContents && location.folders.contains(other.location.item))
    }
}
