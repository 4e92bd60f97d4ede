package import DocentInterfaces
import HostCore

/// What a failed upload means for the change. Pure.
package enum UploadVerdict: Hashable, Sendable {
    /// It stays queued and is sent again.
    case retry
    /// Somebody else changed the document: theirs stays current, ours is kept as a version of it (HAZARDS 5).
    case conflict
    /// The document is gone for certain: what was saved is kept.
    case gone
    /// It cannot be sent before the user does something; it is kept, and can be tried again.
    case lasting

    /// - Parameter isCreation: whether the change makes a document: then nothing can be gone but its folder.
    package init(_ failure: Failure, isCreation: Bool) {
        let kind = ProviderFailureKind(failure)
        switch kind {
        case .outdated: self = .conflict
        case .missing, .unknownItem: self = isCreation ? .lasting : .gone
        default: self = kind.isTransient ? .retry : .lasting
        }
    }
}
