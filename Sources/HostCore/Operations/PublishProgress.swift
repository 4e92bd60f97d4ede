import Synchronization

/// Tells whoever follows an export or a move how far it has come, ten times a second at most. Never waits for anybody. Thread-safe.
package final class PublishProgress: Sendable {
    /// What is being done; each begins anew with no bytes.
    package enum Stage: String, Hashable, Sendable {
        /// The source is read.
        case copying
        /// The copy is read again, and made durable.
        case checking
        /// The provider takes it over.
        case publishing
    }

    /// How far it has come at one moment.
    package struct Report: Hashable, Sendable {
        package var stage: Stage
        /// Bytes.
        package var completed: Int64
        /// Bytes; nil while unknown.
        package var total: Int64?
        /// Nil while unknown.
        package var bytesPerSecond: Double?
    }

    private struct State {
        var stage: Stage?
        var meter = TransferMeter(completed: 0, total: nil, interval: PublishProgress.interval)
        /// The bytes of this stage that were told last.
        var told: Int64?
        /// Whether what was left out is told in a moment.
        var isLate = false
    }

    /// For what nobody follows.
    package static let unheard = PublishProgress(nil)

    private static let interval = Duration.milliseconds(100)

    private let tell: (@Sendable (Report) -> Void)?
    private let state = Mutex(State())

    private init(_ tell: (@Sendable (Report) -> Void)?) { self.tell = tell }

    /// A progress that somebody follows.
    ///
    /// - Parameter tell: called on whatever thread does the work, one at a time; must not block.
    package convenience init(telling tell: @escaping @Sendable (Report) -> Void) { self.init(tell) }

    /// Takes in how far a stage has come. Going back, because it was begun again, is allowed.
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
        // It may be the last for a while.
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

    /// The same of counts as the storage has them.
    package func note(_ stage: Stage, _ completed: UInt64, of total: UInt64) {
        note(stage, Int64(clamping: completed), of: Int64(clamping: total))
    }
}
