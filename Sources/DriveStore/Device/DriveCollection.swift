/// What became of a removal of packs that nobody needs.
package struct DriveCollection: Hashable, Sendable {
    package enum State: String, Sendable {
        /// There is nothing to remove.
        case nothing
        /// There would be something; nothing was changed.
        case found
        /// Other devices have to acknowledge first.
        case waiting
        /// A part of it is done.
        case more
        /// It is done.
        case freed
    }

    package var state = State.nothing
    /// How many packs are affected, and their bytes.
    package var packs = 0
    package var bytes = 0
    /// How many documents and folders of the trash were given up.
    package var items = 0
    /// The devices that have not acknowledged.
    package var waitsFor: [MemberList.Member] = []
}
