import HostCore
import RemoteDocuments
import Rights
import Synchronization

/// The documents of which sessions read parts. Thread-safe.
package final class PartialReadings: Sendable {
    /// One document that a session reads in parts.
    struct Reading: Sendable {
        /// The item whose right counts; for a link, its target.
        let key: ItemKey
        let content: SparseContent
        /// The program for which the client reads.
        let other: DownloadCause.OtherProgram?
    }

    private struct Owned {
        let session: String
        let principal: Principal
        let reading: Reading
    }

    private struct State {
        var readings: [Int: Owned] = [:]
        var counts: [Principal: Int] = [:]
        // Not from zero: a client that still has the number of an earlier daemon must not get another document.
        var last = Int.random(in: 0..<1 << 51)
    }

    /// The most that a client may have open at a time. More are read as a whole.
    private let most: Int
    private let state = Mutex(State())

    package init(most: Int = 1024) { self.most = most }

    /// Records a reading.
    ///
    /// - Returns: its number; nil when the client has too many.
    func add(_ reading: Reading, _ session: Session) -> Int? {
        state.withLock { state in
            guard state.counts[session.principal, default: 0] < most else { return nil }
            state.counts[session.principal, default: 0] += 1
            state.last += 1
            state.readings[state.last] = Owned(
                session: session.token, principal: session.principal, reading: reading)
            return state.last
        }
    }

    /// A session's reading; nil for another's.
    func reading(_ number: Int, _ session: Session) -> Reading? {
        state.withLock { state in
            guard let owned = state.readings[number], owned.session == session.token else { return nil }
            return owned.reading
        }
    }

    /// Forgets a session's reading.
    func remove(_ number: Int, _ session: Session) -> Reading? {
        state.withLock { state in
            guard let owned = state.readings[number], owned.session == session.token else { return nil }
            Self.remove(number, owned, &state)
            return owned.reading
        }
    }

    /// Forgets all readings of a session.
    func removeAll(of session: Session) -> [Reading] {
        state.withLock { state in
            let ended = state.readings.filter { $0.value.session == session.token }
            for (number, owned) in ended { Self.remove(number, owned, &state) }
            return ended.values.map(\.reading)
        }
    }

    private static func remove(_ number: Int, _ owned: Owned, _ state: inout State) {
        state.readings[number] = nil
        let left = (state.counts[owned.principal] ?? 1) - 1
        state.counts[owned.principal] = left > 0 ? left : nil
    }
}
