import DocentInterfaces
import FileProviderValidation
import FoundationEssentials
import Varlink

/// A daemon's failures in the words of a provider.
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
    /// - Parameter conflict: what a conflict is called by the method.
    static func reply(_ error: any Error, _ conflict: FailureCode) -> VarlinkCallError {
        if let own = error as? VarlinkCallError { return own }
        var failure = Failure.from(error)
        if failure.code == .notPermitted, failure.provider == nil {
            // The daemon's own refusal: the client has the right to all there is in the domain, so this is not there.
            failure.code = .noSuchItem
        } else {
            failure.code = failure.code == .conflict ? conflict : codes[failure.code] ?? .failed
        }
        return failure.callError(interface: FileProviderInterface.name)
    }

    /// The error reply to what a client cannot ask for.
    static func notAvailable(_ message: String) -> VarlinkCallError {
        VarlinkCallError(name: CallProblem.notAvailable, Body(message: message))
    }
}
