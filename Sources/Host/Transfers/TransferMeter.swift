import Synchronization

/// What one attempt of a transfer has moved: written by the attempt as fast as it likes, looked at by the queue. Thread-safe.
final class TransferMeter: Sendable {
    struct Reading: Sendable {
        var completed: Int64
        var total: Int64?
        var bytesPerSecond: Double?
        /// The last report of any sort.
        var lastSign: ContinuousClock.Instant
        /// The last report of more bytes than before.
        var lastGain: ContinuousClock.Instant
        /// The most bytes that this attempt reported; nil before its first report.
        var most: Int64?
    }

    private struct State {
        var reading: Reading
        var rate = TransferRate()
        var lastShown: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let interval: Duration

    /// - Parameter interval: between two reports that are shown.
    init(completed: Int64, total: Int64?, interval: Duration = .milliseconds(100)) {
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
    func report(_ completed: Int64, _ total: Int64?) -> Bool {
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

    var reading: Reading { state.withLock { $0.reading } }
}
