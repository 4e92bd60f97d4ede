import Foundation
import Glibc

/// What a view shows.
enum ViewMode: Sendable {
    /// The documents of all accounts, for the user's own programs.
    case accounts
    /// What one client was granted, for one `docent run --view`.
    ///
    /// - Parameters:
    ///   - lifeline: ends when `docent run` does.
    ///   - state: the folder for files that stay on this machine.
    case run(lifeline: CInt, state: String)

    var isOfRun: Bool {
        if case .run = self { return true }
        return false
    }

    /// Does something on a thread of its own when `docent run` ends, however that happens.
    func whenRunEnds(_ body: @escaping @Sendable () -> Void) {
        guard case .run(let lifeline, _) = self else { return }
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(lifeline, &byte, 1)
                guard count > 0 || (count < 0 && errno == EINTR) else { break }
            }
            body()
        }
    }
}
