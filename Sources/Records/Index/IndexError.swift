/// Why the index refused a change.
package enum IndexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier is empty, or a text contains a NUL.
    case unusableDescription

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .unusableDescription:
            "the provider described an item with text that cannot be stored; report this to its authors"
        }
    }
}
