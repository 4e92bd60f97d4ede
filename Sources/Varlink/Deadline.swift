import CVarlinkSocket

/// A point in time on the monotonic clock.
struct Deadline: Sendable, Comparable {
    let nanoseconds: Int64

    init(after duration: Duration) {
        let parts = duration.components
        let (seconds, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let length = overflow ? Int64.max / 2 : max(0, seconds) + parts.attoseconds / 1_000_000_000
        nanoseconds = cvarlink_now() + min(max(0, length), Int64.max / 2)
    }

    /// The remaining time in whole milliseconds, rounded up, for `poll`; 0 when the deadline has passed.
    var millisecondsLeft: CInt {
        let left = nanoseconds - cvarlink_now()
        return left <= 0 ? 0 : CInt(clamping: (left + 999_999) / 1_000_000)
    }

    static func < (left: Deadline, right: Deadline) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
