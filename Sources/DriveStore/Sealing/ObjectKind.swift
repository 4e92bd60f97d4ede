/// What a sealed object is. Each kind has a key of its own, and its number is sealed inside.
package enum ObjectKind: UInt64, Sendable, CaseIterable {
    case head = 1
    case segment = 2
    case members = 3
    case checkpoint = 4
    case checkpointPart = 5
    /// A chunk within a pack.
    case chunk = 6
    /// The keys of a new epoch.
    case epoch = 7
    /// What stands in the place of a head that its device may not change any more.
    case closing = 8
    /// Names of packs that nobody may refer to any more.
    case unused = 9
}
