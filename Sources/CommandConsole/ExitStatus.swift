package import Documents

/// The exit codes of the program (docs/exit-codes.md).
package enum ExitStatus: CInt, CaseIterable {
    case done = 0
    case failed = 1
    case notFound = 2
    case notPermitted = 3
    case notAuthenticated = 4
    case unavailable = 5
    case conflict = 6
    case cancelled = 7
    case usage = 64

    /// The status for an error; ``failed`` if the code is unknown or has no status of its own.
    package init(_ code: DocumentsError.Code) {
        self =
            switch code {
            case .notFound: .notFound
            case .notPermitted: .notPermitted
            case .notAuthenticated: .notAuthenticated
            case .unavailable: .unavailable
            case .conflict, .claimLost, .deadlock, .held: .conflict
            case .cancelled, .deadlineExceeded: .cancelled
            case .invalidArgument: .usage
            default: .failed
            }
    }
}

/// Ends the program with a status, after everything has been reported.
package struct SilentExit: Error {
    /// The exit code.
    package let status: ExitStatus

    package init(status: ExitStatus) { self.status = status }
}
