import DocentInterfaces
import Foundation
import HostTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import HostCore
@testable import Transfers

/// The queue at work (N9–N11, law 5).
@Suite struct TransferQueueTests {
    private typealias Support = TransferSupport
    private let domains = StatedDomains()

    private func queue(limit: Int = 8, stall: Duration = .seconds(60)) -> TransferQueue {
        var policy = RetryPolicy()
        policy.patience = [0.01, 0.02, 0.03]
        policy.firstDelay = 0.02
        policy.longestDelay = 0.1
        return TransferQueue(
            limits: FixedLimit(limit: limit), domains: domains, policy: policy, stall: stall,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A body that waits until it is released or cancelled.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        let begun = Mutex(0)
        let cancelled = Mutex(0)

        func open() { isOpen.withLock { $0 = true } }

        @Sendable func body(_ report: @Sendable (Int64, Int64?) -> Void) async throws {
            begun.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) {
                do {
                    try await Task.sleep(for: .milliseconds(5))
                } catch {
                    cancelled.withLock { $0 += 1 }
                    throw error
                }
            }
            report(10, 10)
        }
    }

    /// Counts how many callers are in it at once.
    private final class Crowd: Sendable {
        private let state = Mutex((now: 0, most: 0))
        var most: Int { state.withLock { $0.most } }
        func leave() { state.withLock { $0.now -= 1 } }
        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }
    }

    @Test("ten callers with the same request share one transfer, and all get its result")
    func coalesces() async throws {
        let (queue, gate) = (queue(), Gate())
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await queue.perform(Support.key("x"), name: "x", body: gate.body) }
            }
            try await Support.eventually { await queue.snapshots().first?.waiters == 10 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(gate.begun.withLock { $0 } == 1)
        #expect(await queue.count == 0)
    }

    @Test("the last caller to leave cancels the transfer; earlier ones do not")
    func lastLeaves() async throws {
        let (queue, gate) = (queue(), Gate())
        let tasks = (0..<3).map { _ in
            Task { try await queue.perform(Support.key("x"), name: "x", body: gate.body) }
        }
        try await Support.eventually { await queue.snapshots().first?.waiters == 3 }
        tasks[0].cancel()
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(gate.cancelled.withLock { $0 } == 0)
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        try await Support.eventually { gate.cancelled.withLock { $0 } == 1 }
        try await Support.eventually { await queue.snapshots().isEmpty }
    }

    @Test("a caller that is cancelled before it begins to wait leaves too")
    func cancelledBefore() async throws {
        let (queue, gate) = (queue(), Gate())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.perform(Support.key("x"), name: "x", body: gate.body)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await Support.eventually { await queue.snapshots().isEmpty }
    }

    @Test("no more transfers run at once than the limit of their domain")
    func bounded() async throws {
        let queue = queue(limit: 3)
        let running = Crowd()
        try await withThrowingTaskGroup { group in
            for number in 0..<30 {
                group.addTask {
                    try await queue.perform(Support.key("x\(number)"), name: "x") { _ in
                        running.enter()
                        defer { running.leave() }
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.most == 3)
    }

    @Test("N11: every waiter gets the progress, and the present state at once")
    func progress() async throws {
        let queue = queue()
        let seen = Mutex<[TransferSnapshot]>([])
        let began = ContinuousClock.now
        try await queue.perform(
            Support.key("x"), name: "x", follow: { snapshot in seen.withLock { $0.append(snapshot) } }
        ) { report in
            for step in 0...100 {
                report(Int64(step), 100)
                try await Task.sleep(for: .milliseconds(4))
            }
        }
        let shown = seen.withLock { $0 }
        #expect(shown.first?.completed == 0)
        #expect(shown.contains { $0.state == .running && $0.completed > 0 && $0.total == 100 })
        #expect(shown.map(\.completed) == shown.map(\.completed).sorted())
        // Throttled: ten times a second, besides the first and the last.
        #expect(Double(shown.count) <= (ContinuousClock.now - began) / .seconds(1) * 10 + 5)
    }

    @Test("an interrupted transfer is retried; a permanent error is reported at once", arguments: [true, false])
    func retries(_ isCut: Bool) async throws {
        let queue = queue()
        let attempts = Mutex(0)
        let task = Task {
            try await queue.perform(Support.key("x"), name: "x") { _ in
                let attempt = attempts.withLock { number in
                    number += 1
                    return number
                }
                if attempt < 3 { throw Support.failure(isCut ? .serverUnreachable : .noSuchItem) }
            }
        }
        if isCut {
            try await task.value
            #expect(attempts.withLock { $0 } == 3)
        } else {
            let failure = await #expect(throws: Failure.self) { try await task.value }
            #expect(failure?.code == .notFound)
            #expect(attempts.withLock { $0 } == 1)
        }
        #expect(await queue.snapshots().isEmpty)
    }

    @Test("HAZARDS 2: an upload survives an outage, is shown as paused, and continues by itself")
    func outage() async throws {
        let queue = queue()
        domains.setOffline(probe: .now + .seconds(3600))
        let sent = Mutex(false)
        await queue.enqueue(Support.key("x", .upload), name: "x", priority: .background) { _ in
            sent.withLock { $0 = true }
        }
        #expect(await queue.snapshots().map(\.state) == [.paused])
        #expect(await queue.snapshots().first?.message == "cable")
        #expect(!sent.withLock { $0 })
        domains.set(.ready)
        try await Support.eventually { sent.withLock { $0 } }
        try await Support.eventually { await queue.count == 0 }
    }

    @Test("an upload that failed permanently is kept, and retried when the user asks for it")
    func failedUpload() async throws {
        let queue = queue()
        let isFull = Mutex(true)
        await queue.enqueue(Support.key("x", .upload), name: "x", priority: .background) { _ in
            if isFull.withLock({ $0 }) { throw Support.failure(.insufficientQuota) }
        }
        try await Support.eventually { await queue.snapshots().first?.state == .failed }
        #expect(await queue.count == 0)
        isFull.withLock { $0 = false }
        #expect(await queue.retry { $0.key.item.provider == "q" } == 0)
        #expect(await queue.retry { $0.key.item.provider == "p" } == 1)
        try await Support.eventually { await queue.snapshots().isEmpty }
    }

    @Test("cancelling by the user fails a download's waiters and keeps an upload as failed")
    func cancels() async throws {
        let (queue, gate) = (queue(), Gate())
        let task = Task { try await queue.perform(Support.key("x"), name: "x", body: gate.body) }
        await queue.enqueue(Support.key("u", .upload), name: "u", priority: .background, body: gate.body)
        try await Support.eventually { gate.begun.withLock { $0 } == 2 }
        for snapshot in await queue.snapshots() { try await queue.cancel(snapshot.identifier) }
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        #expect(gate.cancelled.withLock { $0 } == 2)
        #expect(await queue.snapshots().map(\.state) == [.failed])
        await #expect(throws: Failure.self) { try await queue.cancel("nonsense") }
        await queue.cancelAll { $0.key.account.provider == "p" }
        #expect(await queue.snapshots().isEmpty)
    }

    @Test("a cancelled task still waits for the end of the transfers that it stops")
    func cancelledWaits() async throws {
        let queue = queue()
        let begun = Mutex(false)
        let ended = Mutex(false)
        await queue.enqueue(Support.key("u", .upload), name: "u", priority: .background) { _ in
            begun.withLock { $0 = true }
            try? await Task.sleep(for: .seconds(600))
            // Cleaning up takes a while.
            await Task.detached { try? await Task.sleep(for: .milliseconds(300)) }.value
            ended.withLock { $0 = true }
            throw CancellationError()
        }
        try await Support.eventually { begun.withLock(\.self) }
        let canceller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await queue.cancelAll { _ in true }
            return ended.withLock(\.self)
        }
        #expect(await canceller.value)
    }

    @Test("law 5: a silent attempt is cancelled and retried")
    func stalls() async throws {
        let queue = queue(stall: .milliseconds(100))
        let attempts = Mutex(0)
        await queue.enqueue(Support.key("x", .upload), name: "x", priority: .background) { _ in
            let attempt = attempts.withLock { number in
                number += 1
                return number
            }
            if attempt == 1 { try await Task.sleep(for: .seconds(3600)) }
        }
        try await Support.eventually { await queue.snapshots().isEmpty }
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test("all observers get the changes")
    func tells() async throws {
        let queue = queue()
        let (one, two) = (queue.changes(), queue.changes())
        await queue.enqueue(Support.key("x", .upload), name: "x", priority: .background) { _ in }
        for await _ in one { break }
        for await _ in two { break }
    }

    @Test("law 5: bytes extend a call's deadline without limit, other signs of life only so far")
    func progressWatch() {
        let watch = ProgressWatch(deadline: .seconds(60), now: Support.at(0))
        #expect(watch.end == Support.at(60))
        watch.note(1, now: Support.at(50))
        #expect(watch.end == Support.at(110))
        for second in stride(from: 60.0, through: 640, by: 10) { watch.note(1, now: Support.at(second)) }
        #expect(watch.end == Support.at(650))
        watch.note(2, now: Support.at(641))
        #expect(watch.end == Support.at(701))
    }

    @Test("the rate covers the last seconds, and is nil before there is one")
    func rate() {
        var rate = TransferRate()
        rate.note(1000, at: Support.at(0))
        #expect(rate.bytesPerSecond == nil)
        rate.note(2000, at: Support.at(0.1))
        #expect(rate.bytesPerSecond == nil)
        rate.note(3000, at: Support.at(1))
        #expect(rate.bytesPerSecond == 2000)
        for second in 2..<60 { rate.note(3000 + Int64(second) * 100, at: Support.at(Double(second))) }
        #expect(rate.bytesPerSecond.map { abs($0 - 100) < 5 } == true)
        rate.note(0, at: Support.at(61))
        #expect(rate.bytesPerSecond.map { $0 > 0 } == true)
    }
}
