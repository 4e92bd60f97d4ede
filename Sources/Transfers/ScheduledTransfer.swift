import DocentInterfaces
import HostCore

/// The scheduler's record of one transfer.
struct ScheduledTransfer: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// The phase of a transfer.
    enum Phase: Sendable {
        /// In a lane.
        case waiting
        case running
        /// It failed and has a time for its next attempt.
        case delayed
        /// It failed and is kept for the user.
        case failed
    }

    let identifier: String
    let key: TransferKey
    var name: String
    /// The highest priority among requests that do not wait.
    var wanted: TransferPriority?
    /// Numbers of the waiters.
    var waiters: Set<Int> = []
    /// The waiters that were there when the running attempt began.
    var served: Set<Int> = []
    var phase = Phase.waiting
    /// Why the attempt was asked to end; nil while it may go on.
    var endingWith: Failure?
    /// Whether the attempt was asked to end because it moved nothing for too long.
    var isStalled = false
    /// Whether another attempt must follow, because the content to move came after this one began.
    var again = false
    /// When it began to wait for its turn.
    var queued: Moment
    var nextAttempt: Moment?
    /// The earliest time that the service allows.
    var notBefore: Moment?
    var failedAt: Moment?
    /// Whether its domain has been unavailable since it failed.
    var hadOutage = false
    var attempts = 0
    /// Failed attempts since bytes were last gained.
    var failures = 0
    var failure: Failure?
    var completed: Int64 = 0
    var total: Int64?
    var bytesPerSecond: Double?
    /// The most bytes that any attempt reached.
    var best: Int64 = 0
    /// Whether the running attempt got further than any before.
    var hasGained = false
    var lastSign: Moment
    var lastGain: Moment

    init(identifier: String, key: TransferKey, name: String, now: Moment) {
        self.identifier = identifier
        self.key = key
        self.name = name
        queued = now
        lastSign = now
        lastGain = now
    }

    var priority: TransferPriority { waiters.isEmpty ? wanted ?? .background : .awaited }
    /// Whether a waiter must get an answer soon, even when the domain is offline.
    var isUrgent: Bool { key.kind == .download && !waiters.isEmpty }

    /// When it may be tried again. A transfer that failed because of an outage does not wait for its whole delay
    /// afterwards.
    var due: Moment? {
        guard let nextAttempt, let failedAt, hadOutage else { return nextAttempt }
        return max(notBefore ?? failedAt, min(nextAttempt, failedAt + .seconds(5)))
    }

    /// Resets the record of failures.
    mutating func renew(now: Moment) {
        failures = 0
        failure = nil
        nextAttempt = nil
        notBefore = nil
        failedAt = nil
        hadOutage = false
        queued = now
    }

    mutating func take(_ reading: TransferMeter.Reading) {
        completed = reading.completed
        total = reading.total
        bytesPerSecond = reading.bytesPerSecond
        lastSign = reading.lastSign
        lastGain = reading.lastGain
        if let most = reading.most, most > best {
            best = most
            hasGained = true
        }
    }
}
