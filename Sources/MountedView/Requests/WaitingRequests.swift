import FileSystemMessages
import Glibc
import Synchronization
import ViewMounting

/// The requests that cannot be answered at once. Each gets exactly one reply: its own, one for a deadline, or one for
/// the program that does not wait any more. Thread-safe.
final class WaitingRequests: Sendable {
    private struct Waiting {
        var task: Task<Void, Never>?
        var process: UInt32
        var isChange: Bool
        var isInterrupted = false
    }

    private let channel: KernelChannel
    private let waiting = Mutex<[UInt64: Waiting]>([:])
    /// How often a program that got a signal is looked at.
    private let period: Duration = .milliseconds(100)

    init(channel: KernelChannel) { self.channel = channel }

    /// Answers a request when its answer is there.
    ///
    /// - Parameters:
    ///   - deadline: how long it may take; then the program gets ETIMEDOUT.
    ///   - undo: called with an answer that came too late, or that the kernel does not want: what it opened is closed.
    func start(
        _ request: KernelRequest, within deadline: Duration, undo: @escaping @Sendable (KernelReply) -> Void,
        _ body: @escaping @Sendable () async -> KernelReply
    ) {
        let unique = request.unique
        waiting.withLock {
            $0[unique] = Waiting(
                process: request.caller.process, isChange: request.operation.isChange)
        }
        let task = Task.detached {
            let timer = Task.detached {
                try? await Task.sleep(for: deadline)
                if !Task.isCancelled { self.finish(unique, .error(ETIMEDOUT)) }
            }
            let reply = await body()
            timer.cancel()
            if !self.finish(unique, reply) { undo(reply) }
        }
        // It may have been answered already.
        let isOver = waiting.withLock { waiting in
            guard waiting[unique] != nil else { return true }
            waiting[unique]?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// - Returns: whether the kernel took the reply.
    @discardableResult
    private func finish(_ unique: UInt64, _ reply: KernelReply) -> Bool {
        guard let known = waiting.withLock({ $0.removeValue(forKey: unique) }) else { return false }
        let isTaken = channel.send(reply.message(to: unique))
        known.task?.cancel()
        return isTaken
    }

    /// The program that made a request got a signal.
    ///
    /// - Returns: whether the request is known.
    func interrupt(_ unique: UInt64) -> Bool {
        let known = waiting.withLock { waiting -> Waiting? in
            guard let known = waiting[unique] else { return nil }
            waiting[unique]?.isInterrupted = true
            return known
        }
        guard let known else { return false }
        if Self.decision(known.process) == .end {
            finish(unique, .error(EINTR))
        } else {
            // The kernel tells of one signal only; the next one may end the program.
            Task.detached { await self.watch(unique, known) }
        }
        return true
    }

    private func watch(_ unique: UInt64, _ known: Waiting) async {
        let patience = InterruptedCaller.patience(isChange: known.isChange)
        var unexplained: ContinuousClock.Instant? = .now
        while waiting.withLock({ $0[unique] != nil }) {
            switch Self.decision(known.process) {
            case .end: finish(unique, .error(EINTR))
            case .goOn: unexplained = nil
            case .unexplained:
                let since = unexplained ?? .now
                unexplained = since
                if ContinuousClock.now - since >= patience { finish(unique, .error(EINTR)) }
            }
            try? await Task.sleep(for: period)
        }
    }

    private static func decision(_ process: UInt32) -> InterruptedCaller.Decision {
        InterruptedCaller.decision(KernelTextFile.text("/proc/\(process)/status"))
    }

    /// Ends all requests, when the file system ends.
    func end() {
        for known in waiting.withLock({ waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }) {
            known.task?.cancel()
        }
    }
}
