import Synchronization

/// Reports the progress of an export or a move to its follower, at most ten times a second. Never blocks. Thread-safe.
package final class PublishProgress: Sendable {
    /// The stage of the work; each starts at zero bytes.
    package enum Stage: String, Hashable, Sendable {
        /// The source is being read.
        case copying
        /// The copy is being read back and made durable.
        case checking
        /// The provider is taking it over.
        case publishing
    }

    /// The progress at one moment.
    package struct Report: Hashable, Sendable {
        package var stage: Stage
        /// In bytes.
        package var completed: Int64
        /// In bytes; nil while unknown.
        package var total: Int64?
        /// Nil while unknown.
        package var bytesPerSecond: Double?
    }

    private struct State {
        var stage: Stage?
        var meter = TransferMeter(completed: 0, total: nil, interval: PublishProgress.interval)
        /// The bytes of this stage that were last reported.
        var told: Int64?
        /// Whether a report of skipped progress is scheduled.
        var isLate = false
    }

    /// For work that no one follows.
    package static let unheard = PublishProgress(nil)

    private static let interval = Duration.milliseconds(100)

    private let tell: (@Sendable (Report) -> Void)?
    private let state = Mutex(State())

    private init(_ tell: (@Sendable (Report) -> Void)?) { self.tell = tell }

    /// A progress with a follower.
    ///
    /// - Parameter tell: called on whatever thread does the work, one call at a time; must not block.
    package convenience init(telling tell: @escaping @Sendable (Report) -> Void) { self.init(tell) }

    /// Records the progress of a stage. It may go back when the stage starts again.
    package func note(_ stage: Stage, _ completed: Int64, of total: Int64?) {
        guard tell != nil else { return }
        let isLeftOut = state.withLock { state in
            if state.stage != stage {
                state.stage = stage
                state.meter = TransferMeter(completed: 0, total: nil, interval: Self.interval)
                state.told = nil
            }
            if state.meter.report(completed, total) {
                tellNow(&state)
                return false
            }
            defer { state.isLate = true }
            return !state.isLate
        }
        guard isLeftOut else { return }
        // No further progress may come for a while, so this one is reported later.
        Task {
            try? await Task.sleep(for: Self.interval)
            state.withLock { state in
                state.isLate = false
                if state.told != state.meter.reading.completed { tellNow(&state) }
            }
        }
    }

    private func tellNow(_ state: inout State) {
        guard let stage = state.stage else { return }
        let reading = state.meter.reading
        state.told = reading.completed
        tell?(
            Report(
                stage: stage, completed: reading.completed, total: reading.total,
                bytesPerSecond: reading.bytesPerSecond))
    }

    /// The same for counts as the storage has them.
    package func note(_ stage: Stage, _ completed: UInt64, of total: UInt64) {
        note(stage, Int64(clamping: completed), of: Int64(clamping: total))
    }
}
