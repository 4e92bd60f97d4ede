import Synchronization

/// How far the attempt of a download is, as its provider tells. Thread-safe.
package final class DownloadProgress: Sendable {
    private struct State {
        var completed: Int64
        var total: Int64?
        var isCounted: Bool
    }

    /// The bytes that were there.
    let offset: Int64
    private let state: Mutex<State>

    /// - Parameter offset: the bytes that were there.
    package init(offset: Int64) {
        self.offset = offset
        state = Mutex(State(completed: offset, total: nil, isCounted: offset == 0))
    }

    /// Takes in a reply.
    ///
    /// - Parameter began: where the provider says that its writing began. Bytes of an attempt that was to go on and began
    ///   again may be those of another version: they are not counted as kept.
    package func note(completed: Int, total: Int?, began: Int?) {
        state.withLock { state in
            state.completed = Int64(completed)
            state.total = total.map(Int64.init)
            if offset > 0 { state.isCounted = began.map(Int64.init) == offset }
        }
    }

    /// The bytes that may be recorded, with the whole size; nil when there are none to speak of.
    package var toRecord: (completed: Int64, total: Int64?)? {
        state.withLock { $0.isCounted && $0.completed > offset ? ($0.completed, $0.total) : nil }
    }

    /// Whether what was there before has been written over.
    package var isOverwritten: Bool { state.withLock { !$0.isCounted && $0.completed != offset } }
}
