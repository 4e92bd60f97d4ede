package import DocentInterfaces
import HostCore

/// What a failed upload means for the change. Pure.
package enum UploadVerdict: Hashable, Sendable {
    /// It stays queued and is sent again.
    case retry
    /// Someone else changed the document: their content stays current, ours is kept as a version (HAZARDS 5).
    case conflict
    /// The document is certainly gone: what was saved is kept.
    case gone
    /// It cannot be sent until the user acts; it is kept, and can be tried again.
    case lasting

    /// - Parameter isCreation: whether the change creates a document: then only its folder can be gone.
    package init(_ failure: Failure, isCreation: Bool) {
        switch failure.kind {
        case .outdated: self = .conflict
        case .missing, .unknownItem: self = isCreation ? .lasting : .gone
        default: self = failure.kind.isTransient ? .retry : .lasting
        }
    }
}
