import Synchronization

/// What one attempt of a transfer has moved: written by the attempt as fast as it likes, looked at by the queue.
/// Thread-safe.
package final class TransferMeter: Sendable {
    /// What the meter shows at one moment.
    package struct Reading: Sendable {
        /// Bytes that are through.
        package var completed: Int64
        /// Bytes in all, where they are known.
        package var total: Int64?
        /// The rate; nil while it is not known yet.
        package var bytesPerSecond: Double?
        /// The last report of any sort.
        package var lastSign: ContinuousClock.Instant
        /// The last report of more bytes than before.
        package var lastGain: ContinuousClock.Instant
        /// The most bytes that this attempt reported; nil before its first report.
        package var most: Int64?
    }

    private struct State {
        var reading: Reading
        var rate = TransferRate()
        var lastShown: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let interval: Duration

    /// - Parameter interval: between two reports that are shown.
    package init(completed: Int64, total: Int64?, interval: Duration = .milliseconds(100)) {
        self.interval = interval
        let now = ContinuousClock.now
        state = Mutex(
            State(
                reading: Reading(
                    completed: completed, total: total, bytesPerSecond: nil, lastSign: now, lastGain: now, most: nil)))
    }

    /// Takes in a report.
    ///
    /// - Returns: whether it is time to show it.
    package func report(_ completed: Int64, _ total: Int64?) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.reading.lastSign = now
            let before = state.reading.most
            if completed > before ?? state.reading.completed { state.reading.lastGain = now }
            state.reading.most = max(before ?? completed, completed)
            state.reading.completed = completed
            state.reading.total = total ?? state.reading.total
            state.rate.note(completed, at: now)
            state.reading.bytesPerSecond = state.rate.bytesPerSecond
            if let shown = state.lastShown, now - shown < interval, completed != total { return false }
            // The end is shown at once, but once.
            if completed == total, before == completed { return false }
            state.lastShown = now
            return true
        }
    }

    /// What the meter shows now.
    package var reading: Reading { state.withLock { $0.reading } }
}
