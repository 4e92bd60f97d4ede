import Glibc

/// Lets others have the processor and the disk: as long as it has worked, it rests. For a thread of its own.
struct Pace {
    private static let stretch = Duration.milliseconds(20)
    private let isGentle: Bool
    private var began = ContinuousClock.now

    /// - Parameter isGentle: whether it rests at all.
    init(isGentle: Bool) { self.isGentle = isGentle }

    /// Called between two small pieces of work. Blocks.
    mutating func rest() {
        guard isGentle else { return }
        let worked = ContinuousClock.now - began
        guard worked >= Self.stretch else { return }
        let microseconds = worked.components.attoseconds / 1_000_000_000_000
        usleep(useconds_t(min(max(microseconds, 0), 100_000)))
        began = .now
    }
}
