/// What a claim has done by the time it is released. Moves and new items are told by events of their own while it is
/// held.
package struct AccessOutcome: Hashable, Sendable {
    /// Items whose content or attributes it changed. An item that the claim does not name needs a `changed` event
    /// instead, while the claim is held.
    package var changed: Set<ItemKey>
    /// Items that it deleted, likewise.
    package var deleted: Set<ItemKey>

    /// Describes what was done.
    package init(changed: Set<ItemKey> = [], deleted: Set<ItemKey> = []) {
        self.changed = changed
        self.deleted = deleted
    }

    /// It only read, or did nothing.
    package static let nothing = AccessOutcome()
}
