import Dispatch
package import Documents
import Glibc
import Synchronization

/// The progress of a task, shown on a terminal after the first second:
/// `label  [#####---------------] 12.5 MB of 40.0 MB, 3.1 MB/s, 9 s left`. Thread-safe.
package final class Activity: Sendable {
    private struct State {
        var done = 0
        var total: Int?
        var rate: Double?
        /// The current step, if there are several.
        var step: String?
        var isDrawn = false
    }

    private let label: String
    private let state: Mutex<State>
    private let started: ContinuousClock.Instant = .now
    private let queue = DispatchQueue(label: "org.docent.activity")
    // Dispatch objects are thread-safe, but are not declared so on Linux.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    /// Starts if standard error is a terminal.
    ///
    /// - Parameter total: in bytes, if known.
    package init?(_ label: String, total: Int? = nil) {
        guard StandardError.isTerminal else { return nil }
        self.label = SafeText.escaped(label)
        state = Mutex(State(total: total))
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 0.2)
        timer.setEventHandler { [weak self] in self?.draw() }
        timer.activate()
    }

    /// Adds copied bytes.
    package func add(_ count: Int) { state.withLock { $0.done += count } }

    /// Sets the progress, if something else counts it.
    ///
    /// - Parameter rate: bytes per second.
    package func set(done: Int, total: Int?, rate: Double?) {
        state.withLock { state in
            state.done = done
            state.total = total
            state.rate = rate
        }
    }

    /// Sets the progress of an export or a move.
    package func set(_ progress: ExportProgress) {
        let step: String? =
            switch progress.stage {
            case .copying: nil
            case .checking: "checking"
            case .publishing: "publishing"
            }
        state.withLock { state in
            state.done = progress.completedBytes
            state.total = progress.totalBytes
            state.rate = progress.bytesPerSecond
            state.step = step
        }
    }

    /// Ends, and clears the line.
    package func finish() {
        timer.cancel()
        queue.sync {}
        if state.withLock({ $0.isDrawn }) { StandardError.write("\r\u{1B}[K") }
    }

    private func draw() {
        let now = state.withLock { state in
            state.isDrawn = true
            return state
        }
        let seconds = Int((ContinuousClock.now - started).components.seconds)
        let shown = now.step.map { "\(label), \($0)" } ?? label
        let line = ProgressLine.text(
            shown, done: now.done, total: now.total, rate: now.rate, seconds: seconds,
            columns: TerminalText.current(STDERR_FILENO).columns)
        StandardError.write("\r\u{1B}[K" + line)
    }
}

/// Runs a body with an activity that ends with it.
package nonisolated(nonsending) func withActivity<Result>(
    _ label: String, total: Int? = nil, isShown: Bool = true,
    _ body: nonisolated(nonsending) (Activity?) async throws -> Result
) async throws -> Result {
    let activity = isShown ? Activity(label, total: total) : nil
    defer { activity?.finish() }
    return try await body(activity)
}
