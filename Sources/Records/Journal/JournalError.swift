/// Why the journal refused a step.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such operation.
    case unknownOperation
    /// The principal used the same name for something else before.
    case differentOperation
    /// The step does not follow from the state in which the operation is.
    case outOfOrder(from: JournaledOperation.State, to: JournaledOperation.State)
    /// The content differs from the one that was committed.
    case differentContent
    /// The row was written by a version of Docent that this one cannot read.
    case unreadable

    /// A sentence for the user.
    package var description: String {
        switch self {
        case .unknownOperation: "there is no such operation"
        case .differentOperation: "the same operation name was used for something else; choose a new one"
        case .outOfOrder(let from, let to): "an operation that is \(from.rawValue) cannot become \(to.rawValue)"
        case .differentContent: "the content differs from the one that was committed under this operation"
        case .unreadable: "the journal has an entry that this version of Docent cannot read"
        }
    }
}
