import DocentInterfaces
import HostCore

/// What the scheduler knows of one transfer.
struct ScheduledTransfer: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// Where it is.
    enum Phase: Sendable {
        /// In a lane.
        case waiting
        case running
        /// It failed and has a time for its next attempt.
        case delayed
        /// It is kept for the user.
        case failed
    }

    let identifier: String
    let key: TransferKey
    var name: String
    /// How much it is wanted by those who do not wait.
    var wanted: TransferPriority?
    /// Numbers of those who wait.
    var waiters: Set<Int> = []
    /// Those who waited already when the running attempt began.
    var served: Set<Int> = []
    var phase = Phase.waiting
    /// Its attempt was told to end, and why; nil while it may go on.
    var endingWith: Failure?
    /// Its attempt moved nothing for too long, and was told to end.
    var isStalled = false
    /// Wanted once more after this attempt: what it is to move came after the attempt began.
    var again = false
    /// Since when it waits for its turn.
    var queued: Moment
    var nextAttempt: Moment?
    /// The service asked not to come before.
    var notBefore: Moment?
    var failedAt: Moment?
    /// Whether its domain was not ready since it failed.
    var hadOutage = false
    var attempts = 0
    /// Failed attempts since bytes were gained.
    var failures = 0
    var failure: Failure?
    var completed: Int64 = 0
    var total: Int64?
    var bytesPerSecond: Double?
    /// The most bytes that there ever were.
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
    /// Whether somebody waits who is to be told soon, also when the domain is offline.
    var isUrgent: Bool { key.kind == .download && !waiters.isEmpty }

    /// When it may be tried again. After an outage what failed because of it does not wait out its whole delay.
    var due: Moment? {
        guard let nextAttempt, let failedAt, hadOutage else { return nextAttempt }
        return max(notBefore ?? failedAt, min(nextAttempt, failedAt + .seconds(5)))
    }

    /// Forgets what went wrong.
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
