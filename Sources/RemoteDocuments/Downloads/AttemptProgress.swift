import Synchronization

/// The progress of a download attempt, as its provider reports it. Thread-safe.
package final class AttemptProgress: Sendable {
    private struct State {
        var completed: Int64
        var total: Int64?
        var isCounted: Bool
    }

    /// The bytes that the file already had.
    let offset: Int64
    private let state: Mutex<State>

    /// - Parameter offset: the bytes that the file already had.
    package init(offset: Int64) {
        self.offset = offset
        state = Mutex(State(completed: offset, total: nil, isCounted: offset == 0))
    }

    /// Takes in a reply.
    ///
    /// - Parameter began: where the provider says that it began to write. When an attempt that was to resume starts
    ///   again, its bytes may be those of another version: they are not counted as kept.
    package func note(completed: Int, total: Int?, began: Int?) {
        state.withLock { state in
            state.completed = Int64(completed)
            state.total = total.map(Int64.init)
            if offset > 0 { state.isCounted = began.map(Int64.init) == offset }
        }
    }

    /// The byte count to record, with the total size; nil when there is nothing to record.
    package var toRecord: (completed: Int64, total: Int64?)? {
        state.withLock { $0.isCounted && $0.completed > offset ? ($0.completed, $0.total) : nil }
    }

    /// Whether the earlier content of the file has been overwritten.
    package var isOverwritten: Bool { state.withLock { !$0.isCounted && $0.completed != offset } }
}
