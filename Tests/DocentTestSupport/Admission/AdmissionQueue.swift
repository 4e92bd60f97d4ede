/// Decides which waiting test is admitted next, without tasks and clocks.
///
/// The heaviest go first, and among them those that may take longest, so that a run does not end with a single long
/// test. While a heavy one runs, light ones fill
/// the room that it leaves. An exclusive one goes when no other is waiting.
struct AdmissionQueue: Sendable {
    /// A waiting or running test.
    struct Entry: Sendable, Equatable {
        let number: Int
        let load: Int
        let isExclusive: Bool
        let isBusy: Bool
        /// How long it may take.
        let limit: Duration
        /// Whether it was admitted beyond the capacity, and uses none of it.
        var isExtra = false
    }

    /// The units that are always available.
    let capacity: Int
    /// The most running tests per unit of capacity while processors are idle; many tests spend most of their time
    /// waiting.
    static let most = 2
    /// How many tests may run beyond the capacity at present.
    private(set) var room = 0
    private(set) var running: [Entry] = []
    private(set) var waiting: [Entry] = []
    private var last = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Adds a waiting test with these needs, which may take so long.
    mutating func add(_ needs: some Sequence<Need>, limit: Duration = .zero) -> Int {
        last += 1
        let load = needs.reduce(0) { $0 + $1.load }
        waiting.append(
            Entry(
                number: last, load: min(max(1, load), capacity), isExclusive: needs.contains(where: \.isExclusive),
                isBusy: needs.contains(where: \.isBusy), limit: limit))
        return last
    }

    /// Removes a test that has ended or stopped waiting.
    mutating func remove(_ number: Int) {
        running.removeAll { $0.number == number }
        waiting.removeAll { $0.number == number }
    }

    /// Admits the waiting tests that may start now.
    ///
    /// - Returns: their numbers.
    mutating func admit() -> [Int] {
        var admitted: [Int] = []
        while let next { admitted.append(begin(next)) }
        while var extra = nextExtra {
            extra.isExtra = true
            admitted.append(begin(extra))
        }
        return admitted
    }

    /// Makes room for one more test beyond the capacity while processors are partly idle, and for one fewer while all
    /// are busy. ``admit()`` fills the room.
    ///
    /// - Parameter idleShare: the idle part of the processors' time, from 0 to 1.
    mutating func makeRoom(idleShare: Double) {
        if idleShare > 0.15 {
            if extras >= room, running.count < Self.most * capacity { room += 1 }
        } else if idleShare < 0.05 {
            room = max(0, room - 1)
        }
    }

    private mutating func begin(_ entry: Entry) -> Int {
        waiting.removeAll { $0.number == entry.number }
        running.append(entry)
        return entry.number
    }

    private var extras: Int { running.count(where: \.isExtra) }

    /// The lightest, since it disturbs the others least; never one that keeps a processor busy.
    private var nextExtra: Entry? {
        guard extras < room, running.count < Self.most * capacity, !running.contains(where: \.isExclusive) else {
            return nil
        }
        return waiting.filter { !$0.isExclusive && !$0.isBusy }.min { $0.load < $1.load }
    }

    private var next: Entry? {
        if running.contains(where: \.isExclusive) { return nil }
        let free = capacity - running.filter { !$0.isExtra }.reduce(0) { $0 + $1.load }
        let shared = waiting.filter { !$0.isExclusive }
        guard let heaviest = shared.map(\.load).max() else { return running.isEmpty ? waiting.first : nil }
        if heaviest <= free {
            let heavy = shared.filter { $0.load == heaviest }
            let longest = heavy.map(\.limit).max()
            return heavy.first { $0.limit == longest }
        }
        // A light test overtakes the heaviest waiting one only while another heavy one runs, which ends at some time:
        // otherwise the heaviest might wait for ever.
        guard running.contains(where: isHeavy) else { return nil }
        return shared.filter { !isHeavy($0) && $0.load <= free }.max { $0.load < $1.load }
    }

    private func isHeavy(_ entry: Entry) -> Bool { entry.load * 2 >= capacity }
}
