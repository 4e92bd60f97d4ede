import Synchronization

/// The progress of one attempt of a transfer: written by the attempt at any rate, read by the queue. Thread-safe.
package final class TransferMeter: Sendable {
    /// The state of the meter at one moment.
    package struct Reading: Sendable {
        /// Bytes transferred.
        package var completed: Int64
        /// Total bytes, if known.
        package var total: Int64?
        /// The rate; nil while unknown.
        package var bytesPerSecond: Double?
        /// When the last report of any kind was made.
        package var lastSign: ContinuousClock.Instant
        /// When the last report of more bytes than before was made.
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
    private let clock: any HostClock

    /// - Parameter interval: the time between two reports that are shown.
    package init(
        completed: Int64, total: Int64?, interval: Duration = .milliseconds(100), clock: any HostClock = SystemClock()
    ) {
        self.interval = interval
        self.clock = clock
        let now = clock.now
        state = Mutex(
            State(
                reading: Reading(
                    completed: completed, total: total, bytesPerSecond: nil, lastSign: now, lastGain: now, most: nil)))
    }

    /// Records a report.
    ///
    /// - Returns: whether it is time to show it.
    package func report(_ completed: Int64, _ total: Int64?) -> Bool {
        let now = clock.now
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
            // Completion is shown at once, but only once.
            if completed == total, before == completed { return false }
            state.lastShown = now
            return true
        }
    }

    /// The current state of the meter.
    package var reading: Reading { state.withLock { $0.reading } }
}
