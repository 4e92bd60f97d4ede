import Synchronization

/// The facts that an ``ExtensionProcess`` and its watching thread share.
///
/// Separate from the object, so that the thread holds no reference to it: releasing the last one ends the process.
final class ExtensionProcessState: Sendable {
    /// The shared facts.
    struct Facts {
        /// The extension's socket, until it is taken.
        var socket: CInt
        var isTerminating = false
        /// The limit for which the daemon itself ended it.
        var excess: ExtensionExit.Excess?
        var isReaped = false
        var exit: ExtensionExit?
        var landlockVersion: Int?
        var plugin: Int32?
        var isWatched = false
        var attempts: [SandboxAttempt] = []
        var errorText: [UInt8] = []
        var errorBytes = 0
        var waiters: [Int: @Sendable (ExtensionExit) -> Void] = [:]
        var lastWaiter = 0
    }

    private let facts: Mutex<Facts>

    init(socket: CInt) { facts = Mutex(Facts(socket: socket)) }

    func withLock<Result>(_ body: (inout Facts) -> sending Result) -> sending Result { facts.withLock { body(&$0) } }

    /// Keeps the last 4 KiB of the output.
    func keep(_ text: ArraySlice<UInt8>) {
        facts.withLock { facts in
            facts.errorBytes += text.count
            facts.errorText += text
            if facts.errorText.count > 4096 { facts.errorText.removeFirst(facts.errorText.count - 4096) }
        }
    }

    /// Records a report from the lifeline.
    func note(_ report: LifelineReport) {
        facts.withLock { facts in
            facts.landlockVersion = report.landlockVersion
            facts.plugin = report.plugin
            facts.isWatched = report.isWatching
            facts.attempts = report.attempts
        }
    }

    /// Calls `body` once the end is known; at once if it is known already.
    ///
    /// - Returns: a value for ``giveUp(_:)``; nil when `body` was called already.
    @discardableResult
    func whenEnded(_ body: @escaping @Sendable (ExtensionExit) -> Void) -> Int? {
        let (exit, waiter) = facts.withLock { facts -> (ExtensionExit?, Int) in
            facts.lastWaiter += 1
            if facts.exit == nil { facts.waiters[facts.lastWaiter] = body }
            return (facts.exit, facts.lastWaiter)
        }
        guard let exit else { return waiter }
        body(exit)
        return nil
    }

    /// Removes a waiter, which is then no longer called.
    ///
    /// - Returns: whether it was still waiting.
    func giveUp(_ waiter: Int) -> Bool { facts.withLock { $0.waiters.removeValue(forKey: waiter) != nil } }

    /// Records the end and notifies all waiters.
    func finish(_ exit: ExtensionExit) {
        let (waiters, exit) = facts.withLock { facts in
            let exit = facts.excess.map(ExtensionExit.exceeded) ?? exit
            facts.exit = exit
            defer { facts.waiters = [:] }
            return (facts.waiters.values.map(\.self), exit)
        }
        for waiter in waiters { waiter(exit) }
    }
}
