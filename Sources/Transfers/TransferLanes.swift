import HostCore

/// The waiting transfers of one account, first come, first served within each priority. Entries may be out of date: the
/// caller decides whether the first one still counts.
struct TransferLanes: Sendable {
    private struct Lane {
        var entries: [String] = []
        var head = 0
    }

    private var lanes = [Lane](repeating: Lane(), count: 3)

    var isEmpty: Bool { lanes.allSatisfy { $0.head == $0.entries.count } }

    mutating func append(_ identifier: String, _ priority: TransferPriority) {
        lanes[priority.rawValue].entries.append(identifier)
    }

    /// Puts back an entry that has already had its turn.
    mutating func prepend(_ identifier: String, _ priority: TransferPriority) {
        if lanes[priority.rawValue].head > 0 {
            lanes[priority.rawValue].head -= 1
            lanes[priority.rawValue].entries[lanes[priority.rawValue].head] = identifier
        } else {
            lanes[priority.rawValue].entries.insert(identifier, at: 0)
        }
    }

    /// The first entry that counts; the entries before it are dropped.
    mutating func first(_ priority: TransferPriority, where counts: (String) -> Bool) -> String? {
        while lanes[priority.rawValue].head < lanes[priority.rawValue].entries.count {
            let identifier = lanes[priority.rawValue].entries[lanes[priority.rawValue].head]
            if counts(identifier) { return identifier }
            removeFirst(priority)
        }
        return nil
    }

    /// Every entry of a priority, outdated ones included.
    func entries(_ priority: TransferPriority) -> ArraySlice<String> {
        lanes[priority.rawValue].entries[lanes[priority.rawValue].head...]
    }

    private mutating func removeFirst(_ priority: TransferPriority) {
        lanes[priority.rawValue].head += 1
        let head = lanes[priority.rawValue].head
        if head == lanes[priority.rawValue].entries.count {
            lanes[priority.rawValue] = Lane()
        } else if head > 512, head * 2 > lanes[priority.rawValue].entries.count {
            lanes[priority.rawValue].entries.removeFirst(head)
            lanes[priority.rawValue].head = 0
        }
    }
}
