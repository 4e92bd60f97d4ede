/// The rate of a transfer, smoothed over some seconds. Pure.
package struct TransferRate: Sendable {
    /// Nil in the first quarter of a second.
    package private(set) var bytesPerSecond: Double?
    private var since: (moment: ContinuousClock.Instant, completed: Int64)?

    package init() {}

    /// Records the present number of bytes. Bytes before the first call do not count, nor does a decrease.
    package mutating func note(_ completed: Int64, at moment: ContinuousClock.Instant) {
        guard let start = since, completed >= start.completed else {
            since = (moment, completed)
            return
        }
        let seconds = (moment - start.moment) / .seconds(1)
        guard seconds >= 0.25 else { return }
        let current = Double(completed - start.completed) / seconds
        // The longer the window, the more it counts: one half after two seconds.
        let weight = min(1, seconds / (seconds + 2))
        bytesPerSecond = bytesPerSecond.map { $0 * (1 - weight) + current * weight } ?? current
        since = (moment, completed)
    }
}
