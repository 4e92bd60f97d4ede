import Documents
import FileSystemMessages
import Synchronization

/// How much space accounts have, as far as it is known. It answers at once, and asks in the background.
///
/// Thread-safe.
final class ViewSpaces: Sendable {
    private struct Known {
        var usage: AccountUsage?
        var asked: ContinuousClock.Instant
        var isAsking = true
    }

    /// How long an answer, or that there is none, counts.
    private let validity: Duration
    private let ask: @Sendable (ViewAccount) async -> AccountUsage?
    private let known = Mutex<[String: Known]>([:])

    /// - Parameter ask: asks for the space of an account; nil if it is not to be had.
    init(validity: Duration = .seconds(60), ask: @escaping @Sendable (ViewAccount) async -> AccountUsage?) {
        self.validity = validity
        self.ask = ask
    }

    /// What is known of the space of an account; nil for nothing.
    func statistics(of account: ViewAccount) -> FileSystemStatistics? {
        let identifier = account.identifier
        let (usage, asks) = known.withLock { known -> (AccountUsage?, Bool) in
            let earlier = known[identifier]
            let isDue = earlier.map { !$0.isAsking && .now - $0.asked > validity } ?? true
            if isDue { known[identifier] = Known(usage: earlier?.usage, asked: .now) }
            return (earlier?.usage, isDue)
        }
        if asks {
            Task.detached { [self] in
                let answer = await ask(account)
                known.withLock { known in
                    // What was known stays while the account cannot be asked.
                    known[identifier] = Known(
                        usage: answer ?? known[identifier]?.usage, asked: .now, isAsking: false)
                }
            }
        }
        return usage.flatMap(Self.statistics)
    }

    /// The space as programs see it; nil if too little is known, or if there is no limit.
    static func statistics(_ usage: AccountUsage) -> FileSystemStatistics? {
        guard let available = usage.availableBytes.flatMap({ UInt64(exactly: $0) }) else { return nil }
        let total = usage.totalBytes.flatMap { UInt64(exactly: $0) } ?? available
        return FileSystemStatistics(total: max(total, available), free: available)
    }
}
