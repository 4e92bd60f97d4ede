package import DocentInterfaces
package import Isolation
import Synchronization

/// Counts the calls of each principal that wait, and refuses those above the limit (T4). Thread-safe.
///
/// A call waits from the moment that it could not be answered at once until its work has ended, which may be after its
/// caller has gone. Administration is counted apart, so that a program that waits everywhere can still be looked into.
package final class WaitingCalls: Sendable {
    private struct Key: Hashable {
        var principal: Principal
        var isAdministration: Bool
    }

    /// The most waiting calls of one principal.
    package static let limit = 64

    private let counts = Mutex<[Key: Int]>([:])

    package init() {}

    /// Counts a call.
    ///
    /// - Returns: to be called once, when it has ended.
    /// - Throws: ``Failure`` `Unavailable` when the principal has too many.
    package func begin(_ principal: Principal, method: String) throws(Failure) -> @Sendable () -> Void {
        let key = Key(
            principal: principal, isAdministration: method.hasPrefix(AdministrationInterface.name + "."))
        let isAdmitted = counts.withLock { counts in
            guard counts[key, default: 0] < Self.limit else { return false }
            counts[key, default: 0] += 1
            return true
        }
        guard isAdmitted else {
            throw Failure(
                .unavailable, "\(principal.identifier) has \(Self.limit) calls waiting already (T4).",
                suggestion: "Try again when one of them has been answered.")
        }
        return { [self] in end(key) }
    }

    private func end(_ key: Key) {
        counts.withLock { counts in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
    }

    /// How many calls of a principal wait, administration left out.
    package func count(_ principal: Principal) -> Int {
        counts.withLock { $0[Key(principal: principal, isAdministration: false)] ?? 0 }
    }
}
