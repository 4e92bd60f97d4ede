package import Documents
import Glibc

/// The errno by which programs learn why a request failed. Pure.
package enum ErrorNumber {
    /// The errno of a failure.
    package static func of(_ error: DocumentsError) -> CInt {
        switch error.code {
        case .notFound: ENOENT
        case .notPermitted, .notAuthenticated: EACCES
        // Not here, and not to be had now.
        case .unavailable: EHOSTUNREACH
        case .conflict: EEXIST
        case .cancelled: EINTR
        case .deadlineExceeded: ETIMEDOUT
        case .invalidArgument: EINVAL
        case .noSpace: ENOSPC
        case .notSupported: EOPNOTSUPP
        case .deadlock: EDEADLK
        case .held: EPERM
        // The provider's own fault, a lost claim, and anything else.
        default: EIO
        }
    }
}
