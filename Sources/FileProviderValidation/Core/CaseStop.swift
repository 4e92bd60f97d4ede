/// Why a case ended before its end, other than a call that went wrong.
package enum CaseStop: Error, Sendable {
    /// It does not apply here.
    case skipped(String)
    /// It needs something of the service that nobody gave the validator, with what to give.
    case notTried(String)
    /// Going on makes no sense after a finding that was reported.
    case reported
}
