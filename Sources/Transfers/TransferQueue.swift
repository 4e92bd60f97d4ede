package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Logging
import Rights

/// Every download and upload of the daemon. A transfer outlives its client and its picker (N9–N11), is shared by all
/// that want the same, and is retried where that may succeed. A download is cancelled when no one wants it any more.
/// The number of transfers per domain is limited.
///
/// ``TransferScheduler`` decides what happens when; the queue carries it out.
package actor TransferQueue {
    private struct Attempt {
        let task: Task<Void, Never>
        let meter: TransferMeter
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Void, any Error>
        let follow: (@Sendable (TransferSnapshot) -> Void)?
    }

    private let limits: any TransferLimits
    private let domains: any DomainAvailability
    private let logger: Logger
    private let clock: any HostClock
    private nonisolated let signal = ChangeSignal()
    /// Those who learn which transfers have ended.
    package nonisolated let followers = TransferFollowers()
    private var scheduler: TransferScheduler
    private var bodies: [String: TransferBody] = [:]
    private var attempts: [String: Attempt] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var wake: (moment: ContinuousClock.Instant, task: Task<Void, Never>)?
    private var following: Task<Void, Never>?

    /// - Parameter stall: how long an attempt may go without a sign of life before it is cancelled and tried again.
    package init(
        limits: any TransferLimits, domains: any DomainAvailability, policy: RetryPolicy = RetryPolicy(),
        stall: Duration = .seconds(60), logger: Logger, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.limits = limits
        self.domains = domains
        self.logger = logger
        scheduler = TransferScheduler(policy: policy, stall: stall)
    }

    deinit {
        following?.cancel()
        wake?.task.cancel()
    }

    // MARK: Requesting

    /// Joins the transfer with that key, or begins it, and waits for its end. Cancelling the task leaves the transfer;
    /// a download that no one else wants then ends.
    ///
    /// - Parameters:
    ///   - priority: ignored: a waiting caller always counts as ``TransferPriority/awaited``.
    ///   - follow: called at once, and then at every change; for progress, at most ten times a second.
    /// - Throws: ``Failure``; `CancellationError` when the task was cancelled.
    package func perform(
        _ key: TransferKey, name: String, priority: TransferPriority = .awaited,
        follow: (@Sendable (TransferSnapshot) -> Void)? = nil, body: @escaping TransferBody
    ) async throws {
        lastWaiter += 1
        let number = lastWaiter
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                waiters[number] = Waiter(continuation: continuation, follow: follow)
                begin(key, name, priority, number, body)
            }
        } onCancel: {
            Task { await self.leave(number, key) }
        }
    }

    /// Begins a transfer that no caller waits for, or raises the priority of an existing one. A running upload is run
    /// once more: its content may have changed after it was read.
    package func enqueue(
        _ key: TransferKey, name: String, priority: TransferPriority, body: @escaping TransferBody
    ) {
        begin(key, name, priority, nil, body)
    }

    private func begin(
        _ key: TransferKey, _ name: String, _ priority: TransferPriority, _ waiter: Int?, _ body: @escaping TransferBody
    ) {
        follow()
        let identifier = scheduler.want(key, name: name, priority: priority, waiter: waiter, now: clock.now)
        if key.kind == .upload || attempts[identifier] == nil || bodies[identifier] == nil { bodies[identifier] = body }
        pump()
        show(identifier)
    }

    private func leave(_ number: Int, _ key: TransferKey) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        if let identifier = scheduler.identifier(of: key) {
            let last = lastState(identifier)
            if scheduler.leave(number, identifier) { attempts[identifier]?.task.cancel() }
            if scheduler.key(of: identifier) == nil { bodies[identifier] = nil }
            noteIfOver(last, Failure(.cancelled, "Nobody was waiting for it any more."))
        }
        waiter.continuation.resume(throwing: CancellationError())
        pump()
    }

    // MARK: Administration

    /// Ends a transfer, and returns when its attempt has ended. A download's waiters get the failure; an upload is kept
    /// as failed.
    ///
    /// - Throws: ``Failure`` `NotFound`.
    package func cancel(_ identifier: String) async throws {
        guard scheduler.key(of: identifier) != nil else {
            throw Failure(
                .notFound, "There is no transfer \(identifier).", suggestion: "`docent transfers` lists them.")
        }
        stop([identifier], Failure(.cancelled, "The transfer was cancelled.", suggestion: "Try it again."))
        await waitForEnd(of: [identifier])
    }

    /// Ends and forgets the matching transfers, uploads included; returns when their attempts have ended.
    ///
    /// - Parameter failure: what their waiters get.
    package func cancelAll(
        _ failure: Failure = Failure(.cancelled, "The transfer was cancelled."),
        where matches: @Sendable (TransferSnapshot) -> Bool
    ) async {
        let identifiers = snapshots().filter(matches).map(\.identifier)
        stop(identifiers, failure)
        await waitForEnd(of: identifiers)
        for identifier in identifiers where attempts[identifier] == nil {
            let last = lastState(identifier)
            scheduler.forget(identifier)
            bodies[identifier] = nil
            noteIfOver(last, failure)
        }
        pump()
    }

    private func stop(_ identifiers: [String], _ failure: Failure) {
        for identifier in identifiers {
            let last = lastState(identifier)
            let (told, stops) = scheduler.cancel(identifier, failure)
            tell(told, failure)
            if stops { attempts[identifier]?.task.cancel() }
            if scheduler.key(of: identifier) == nil { bodies[identifier] = nil }
            noteIfOver(last, failure)
        }
        pump()
    }

    // A body ends soon after its cancellation. One that does not is waited for no longer than this.
    private func waitForEnd(of identifiers: [String]) async {
        for _ in 0..<500 where identifiers.contains(where: { attempts[$0] != nil }) {
            // In a cancelled task, Task.sleep returns at once, so there would be no wait.
            await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
        }
    }

    /// Tries delayed, paused and failed transfers again at once. A running attempt goes on; if it fails, the next one
    /// follows soon.
    ///
    /// - Returns: how many are tried again.
    @discardableResult
    package func retry(where matches: @Sendable (TransferSnapshot) -> Bool) -> Int {
        let found = snapshots().filter { ($0.state.canBeRetried || $0.state == .running) && matches($0) }
        let count = found.count { scheduler.retry($0.identifier, now: clock.now) }
        pump()
        return count
    }

    // MARK: Inspecting

    /// Every transfer, highest priority first.
    package func snapshots() -> [TransferSnapshot] {
        measure()
        return scheduler.snapshots(now: clock.now, wall: clock.date, domains: domains)
    }

    /// The number of transfers that wait, run or are retried; failed ones do not count.
    package var count: Int { scheduler.count }

    /// Signals changes, progress included.
    package nonisolated func changes() -> AsyncStream<Void> { signal.stream() }

    // MARK: Running

    private func pump() {
        measure()
        let plan = scheduler.plan(now: clock.now, limits: limits, domains: domains)
        for identifier in plan.start { start(identifier) }
        for identifier in plan.stop { attempts[identifier]?.task.cancel() }
        schedule(plan.wake)
        announce()
    }

    private func start(_ identifier: String) {
        guard let body = bodies[identifier], let transfer = scheduler.transfers[identifier] else { return }
        let meter = TransferMeter(completed: transfer.completed, total: transfer.total, clock: clock)
        let task = Task {
            var failure: Failure?
            do {
                // No claim waits for it, although it may have been requested within one.
                try await ClaimContext.$held.withValue(nil) {
                    try await body { completed, total in
                        guard meter.report(max(0, completed), total.map { max(0, $0) }) else { return }
                        Task { await self.progressed(identifier) }
                    }
                }
            } catch {
                failure = FailureMapping.failure(error)
            }
            self.ended(identifier, failure)
        }
        attempts[identifier] = Attempt(task: task, meter: meter)
        show(identifier)
    }

    private func ended(_ identifier: String, _ failure: Failure?) {
        measure()
        attempts[identifier] = nil
        guard let key = scheduler.key(of: identifier) else { return pump() }
        let isReady = domains.state(key.item.provider, key.item.domain) == .ready
        let last = lastState(identifier)
        let ending = scheduler.ended(
            identifier, failure, isDomainReady: isReady, chance: .random(in: 0..<1), now: clock.now)
        if let failure {
            logger.info(
                "transfer interrupted",
                metadata: ["transfer": "\(identifier)", "why": "\(failure.message)", "over": "\(ending.isOver)"])
        }
        if ending.isOver { bodies[identifier] = nil }
        noteIfOver(last, ending.failure)
        tell(ending.told, ending.failure)
        show(identifier)
        pump()
    }

    private func tell(_ numbers: Set<Int>, _ failure: Failure?) {
        for waiter in numbers.compactMap({ waiters.removeValue(forKey: $0) }) {
            if let failure { waiter.continuation.resume(throwing: failure) } else { waiter.continuation.resume() }
        }
    }

    private func progressed(_ identifier: String) {
        measure()
        show(identifier)
        announce()
    }

    private func announce() {
        signal.send()
        followers.wake()
    }

    // The state of a transfer for those who follow, before something may end it.
    private func lastState(_ identifier: String) -> TransferSnapshot? {
        guard !followers.isEmpty else { return nil }
        return scheduler.snapshot(identifier, now: clock.now, wall: clock.date, domains: domains)
    }

    private func noteIfOver(_ last: TransferSnapshot?, _ failure: Failure?) {
        guard let last, scheduler.key(of: last.identifier) == nil else { return }
        followers.note(last, failure)
    }

    private func measure() {
        for (identifier, attempt) in attempts { scheduler.progressed(identifier, attempt.meter.reading) }
    }

    private func show(_ identifier: String) {
        let followers = scheduler.waiters(of: identifier).compactMap { waiters[$0]?.follow }
        guard !followers.isEmpty,
            let snapshot = scheduler.snapshot(identifier, now: clock.now, wall: clock.date, domains: domains)
        else { return }
        for follow in followers { follow(snapshot) }
    }

    private func schedule(_ moment: ContinuousClock.Instant?) {
        guard moment != wake?.moment else { return }
        wake?.task.cancel()
        wake = moment.map { moment in
            (
                moment,
                Task { [weak self, clock] in
                    guard (try? await clock.sleep(until: moment)) != nil else { return }
                    await self?.woke()
                }
            )
        }
    }

    private func woke() {
        wake = nil
        pump()
    }

    private func follow() {
        guard following == nil else { return }
        let changes = domains.changes()
        following = Task { [weak self] in
            for await _ in changes { await self?.pump() }
        }
    }
}
