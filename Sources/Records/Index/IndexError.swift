/// Why the index refused a change.
package enum IndexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier is empty, or a text contains a NUL.
    case unusableDescription

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .unusableDescription:
            "the provider described an item by a text that no database can keep; report it to its maker"
        }
    }
}
