/// Why a case ended early, other than by a failed call.
package enum CaseStop: Error, Sendable {
    /// It does not apply here.
    case skipped(String)
    /// It needs something of the service that the validator was not given; the text says what.
    case notTried(String)
    /// Continuing makes no sense after a reported finding.
    case reported
}
