import DocentInterfaces
import FileProviderValidation
import FoundationEssentials
import Varlink

/// Converts a daemon's failures to those of a provider.
enum BridgedError {
    private struct Body: Codable {
        var message: String
    }

    private static let codes: [FailureCode: FailureCode] = [
        .notFound: .noSuchItem, .notPermitted: .notPermitted, .notAuthenticated: .notAuthenticated,
        .unavailable: .serverUnreachable, .noSpace: .insufficientQuota, .notSupported: .notSupported,
        .invalidArgument: .invalidArgument,
    ]

    /// The error reply.
    ///
    /// - Parameter conflict: the method's code for a conflict.
    static func reply(_ error: any Error, _ conflict: FailureCode) -> VarlinkCallError {
        if let own = error as? VarlinkCallError { return own }
        var failure = Failure.from(error)
        if failure.code == .notPermitted, failure.provider == nil {
            // The daemon's own refusal. The client has a right to everything in the domain, so this does not exist.
            failure.code = .noSuchItem
        } else {
            failure.code = failure.code == .conflict ? conflict : codes[failure.code] ?? .failed
        }
        return failure.callError(interface: FileProviderInterface.name)
    }

    /// The error reply to a call that a client cannot make.
    static func notAvailable(_ message: String) -> VarlinkCallError {
        VarlinkCallError(name: CallProblem.notAvailable, Body(message: message))
    }
}
