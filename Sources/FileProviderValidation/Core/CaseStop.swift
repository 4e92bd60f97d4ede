/// Why a case ended before its end, other than a call that went wrong.
package enum CaseStop: Error, Sendable {
    /// It does not apply here.
    case skipped(String)
    /// Going on makes no sense after a finding that was reported.
    case reported
}
