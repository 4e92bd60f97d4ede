/// Who of those that wait is admitted next: a decision without tasks or clocks.
///
/// The heaviest go first, so that the end of a run is not one long test alone; an exclusive one goes when nobody else
/// waits.
struct AdmissionQueue: Sendable {
    /// Somebody who waits or runs.
    struct Entry: Sendable, Equatable {
        let number: Int
        let load: Int
        let isExclusive: Bool
    }

    /// What is given out in any case.
    let capacity: Int
    /// How many may run for each unit of capacity while processors have nothing to do: many tests do little but wait
    /// for something.
    static let most = 3
    private(set) var running: [Entry] = []
    private(set) var waiting: [Entry] = []
    private var last = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Adds somebody with these needs to those that wait.
    mutating func add(_ needs: some Sequence<Need>) -> Int {
        last += 1
        let load = needs.reduce(0) { $0 + $1.load }
        waiting.append(
            Entry(number: last, load: min(max(1, load), capacity), isExclusive: needs.contains(where: \.isExclusive)))
        return last
    }

    /// Removes somebody who runs, or gave up waiting.
    mutating func remove(_ number: Int) {
        running.removeAll { $0.number == number }
        waiting.removeAll { $0.number == number }
    }

    /// Moves those who may begin now from the ones that wait to the ones that run.
    ///
    /// - Returns: their numbers.
    mutating func admit() -> [Int] {
        var admitted: [Int] = []
        while let next { admitted.append(begin(next)) }
        return admitted
    }

    /// Lets the lightest that waits begin too, whatever runs. For when processors have nothing to do.
    mutating func admitOneMore() -> Int? {
        guard !running.contains(where: \.isExclusive), running.count < Self.most * capacity else { return nil }
        return waiting.filter { !$0.isExclusive }.min { $0.load < $1.load }.map { begin($0) }
    }

    private mutating func begin(_ entry: Entry) -> Int {
        waiting.removeAll { $0 == entry }
        running.append(entry)
        return entry.number
    }

    private var next: Entry? {
        if running.contains(where: \.isExclusive) { return nil }
        let free = capacity - running.reduce(0) { $0 + $1.load }
        // Nobody light overtakes the heaviest that waits, or it would wait for ever.
        let shared = waiting.filter { !$0.isExclusive }
        if let heaviest = shared.map(\.load).max() {
            return heaviest <= free ? shared.first { $0.load == heaviest } : nil
        }
        return running.isEmpty ? waiting.first : nil
    }
}
