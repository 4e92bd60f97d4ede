/// Why the journal refused a step.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such operation.
    case unknownOperation
    /// The principal has used the same name for a different request.
    case differentOperation
    /// The step is not possible in the operation's current state.
    case outOfOrder(from: JournaledOperation.State, to: JournaledOperation.State)
    /// The content differs from the committed content.
    case differentContent
    /// The row was written by a Docent version that this one cannot read.
    case unreadable

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .unknownOperation: "there is no such operation"
        case .differentOperation: "this operation name was already used for something else; choose a new one"
        case .outOfOrder(let from, let to): "an operation that is \(from.rawValue) cannot become \(to.rawValue)"
        case .differentContent: "the content differs from what was committed under this operation"
        case .unreadable: "the journal contains an entry that this version of Docent cannot read"
        }
    }
}
