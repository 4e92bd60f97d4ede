package import Foundation
import HostCore
import Synchronization

/// A clock that stands still until the test lets time pass, and that knows who waits for which moment.
///
/// Thread-safe.
package final class VirtualClock: HostClock {
    /// A waiting caller.
    package struct Sleeper: Sendable {
        /// The waiting file, without folder and extension: `Publisher`.
        package let caller: String
        /// The remaining time.
        package let remaining: Duration
    }

    private struct Sleep {
        var number: Int
        var caller: String
        var moment: ContinuousClock.Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watch {
        var number: Int
        var wanted: Wanted
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct Wanted {
        var callers: Set<String>
        var limit: Duration?

        func includes(_ sleeper: Sleeper) -> Bool {
            callers.contains(sleeper.caller) && limit.map { sleeper.remaining <= $0 } ?? true
        }
    }

    private struct State {
        var elapsed = Duration.zero
        var last = 0
        var sleeps: [Sleep] = []
        var cancelled: Set<Int> = []
        var watches: [Watch] = []
        var hasEnded = false
    }

    private let start = ContinuousClock.now
    private let startDate = Date.now
    private let state = Mutex(State())

    package init() {}

    // MARK: For the services

    package var now: ContinuousClock.Instant { start + state.withLock { $0.elapsed } }
    package var date: Date { startDate.addingTimeInterval(state.withLock { $0.elapsed } / .seconds(1)) }

    package func sleep(until moment: ContinuousClock.Instant, caller: String) async throws {
        // The leftovers of a test must not loop on the pool's only thread.
        if state.withLock({ $0.hasEnded }) { return try await Task.sleep(for: .seconds(3600)) }
        let caller = Self.name(caller)
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, watches) = state.withLock { state -> (Result<Void, any Error>?, [Watch]) in
                    if state.cancelled.remove(number) != nil || state.hasEnded || Task.isCancelled {
                        return (.failure(CancellationError()), [])
                    }
                    if moment <= start + state.elapsed { return (.success(()), []) }
                    state.sleeps.append(
                        Sleep(number: number, caller: caller, moment: moment, continuation: continuation))
                    let sleeper = Sleeper(caller: caller, remaining: moment - (start + state.elapsed))
                    let watches = state.watches.filter { $0.wanted.includes(sleeper) }
                    state.watches.removeAll { $0.wanted.includes(sleeper) }
                    return (nil, watches)
                }
                if let result { continuation.resume(with: result) }
                for watch in watches { watch.continuation.resume() }
            }
        } onCancel: {
            let sleep = state.withLock { state -> Sleep? in
                guard let index = state.sleeps.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleeps.remove(at: index)
            }
            sleep?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func name(_ file: String) -> String {
        let last = file.split(separator: "/").last ?? ""
        return String(last.prefix { $0 != "." })
    }

    // MARK: For the test

    /// The waiting callers, in the order of their moments.
    package var sleepers: [Sleeper] { state.withLock { sleepers($0) } }

    private func sleepers(_ state: State) -> [Sleeper] {
        state.sleeps.sorted { $0.moment < $1.moment }.map {
            Sleeper(caller: $0.caller, remaining: $0.moment - (start + state.elapsed))
        }
    }

    /// Lets time pass. Callers whose moment has come continue, in the order of their moments.
    package func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleep] in
            state.elapsed += duration
            let now = start + state.elapsed
            let due = state.sleeps.filter { $0.moment <= now }.sorted { $0.moment < $1.moment }
            state.sleeps.removeAll { $0.moment <= now }
            return due
        }
        for sleep in due { sleep.continuation.resume() }
    }

    /// Waits until a file waits: `Publisher`. Ends early when the test exceeds its time limit.
    ///
    /// - Parameter limit: the longest wait that counts; nil for any.
    /// - Returns: its remaining time.
    @discardableResult
    package func sleeper(_ caller: String, within limit: Duration? = nil) async -> Duration {
        await sleeper(Wanted(callers: [caller], limit: limit))
    }

    /// Waits until a file waits, and lets exactly that time pass.
    ///
    /// - Returns: that time.
    @discardableResult
    package func pass(_ caller: String, within limit: Duration? = nil) async -> Duration {
        let remaining = await sleeper(caller, within: limit)
        advance(by: remaining)
        return remaining
    }

    /// Runs a body, and meanwhile lets time pass whenever one of these files waits.
    ///
    /// - Parameter limit: the longest wait that is passed.
    package func letting<Result>(
        _ callers: Set<String>, within limit: Duration = .seconds(10), pass body: () async throws -> Result
    ) async rethrows -> Result {
        let running = Task {
            while !Task.isCancelled { advance(by: await sleeper(Wanted(callers: callers, limit: limit))) }
        }
        defer { running.cancel() }
        return try await body()
    }

    private func sleeper(_ wanted: Wanted) async -> Duration {
        while !Task.isCancelled, !state.withLock({ $0.hasEnded }) {
            if let known = sleepers.first(where: wanted.includes) { return known.remaining }
            let number = state.withLock { state in
                state.last += 1
                return state.last
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        let isOver = state.hasEnded || Task.isCancelled
                        if isOver || sleepers(state).contains(where: wanted.includes) { return true }
                        state.watches.append(Watch(number: number, wanted: wanted, continuation: continuation))
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                let watch = state.withLock { state in
                    state.watches.firstIndex { $0.number == number }.map { state.watches.remove(at: $0) }
                }
                watch?.continuation.resume()
            }
        }
        return .zero
    }

    /// Ends all waits, at the end of a test.
    func end() {
        let (sleeps, watches) = state.withLock { state in
            state.hasEnded = true
            defer { (state.sleeps, state.watches) = ([], []) }
            return (state.sleeps, state.watches)
        }
        for sleep in sleeps { sleep.continuation.resume(throwing: CancellationError()) }
        for watch in watches { watch.continuation.resume() }
    }
}
