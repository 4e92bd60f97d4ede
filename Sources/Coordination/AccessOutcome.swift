/// What a claim has changed by the time it is released. Moves and new items are reported by their own events while it
/// is held.
package struct AccessOutcome: Hashable, Sendable {
    /// The items whose content or attributes changed. For an item that the claim does not name, use a `changed` event
    /// while the claim is held.
    package var changed: Set<CoordinatedItem>
    /// The items that were deleted, under the same condition.
    package var deleted: Set<CoordinatedItem>

    /// Creates an outcome.
    package init(changed: Set<CoordinatedItem> = [], deleted: Set<CoordinatedItem> = []) {
        self.changed = changed
        self.deleted = deleted
    }
}
