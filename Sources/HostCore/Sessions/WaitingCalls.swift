package import DocentInterfaces
package import Rights
import Varlink

/// Counts the waiting calls of each principal, and refuses those above the limit. Thread-safe.
///
/// A call waits from the moment that it could not be answered at once until its work has ended, which may be after its
/// caller has gone. Administration is counted separately, so that a program all of whose calls wait can still be
/// inspected.
package final class WaitingCalls: Sendable {
    /// The most waiting calls of one confined client.
    package static var limit: Int { PrincipalLimits.waitingCalls.confined.each }

    private let calls = ShareCounter(PrincipalLimits.waitingCalls)
    private let administration = ShareCounter(PrincipalLimits.waitingCalls)

    package init() {}

    /// Counts a call.
    ///
    /// - Returns: a function to be called once, when the call has ended.
    /// - Throws: ``Failure`` `Unavailable` when the principal has too many, or all principals of its kind together.
    package func begin(_ principal: Principal, method: String) throws(Failure) -> @Sendable () -> Void {
        let counter = method.hasPrefix(AdministrationInterface.name + ".") ? administration : calls
        let holder = principal.shareHolder
        do throws(PrincipalShares.Refusal) {
            try counter.take(for: holder)
        } catch {
            throw error.failure(
                holder, "calls waiting", suggestion: "Try again when one of them has been answered.")
        }
        return { counter.give(of: holder) }
    }

    /// How many calls of a principal wait, administration excluded.
    package func count(_ principal: Principal) -> Int { calls.amount(of: principal.shareHolder) }
}
