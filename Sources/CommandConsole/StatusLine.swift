import Glibc
import Synchronization

/// A line on standard error that is redrawn in place. Nothing is shown if standard error is not a terminal.
package final class StatusLine: Sendable {
    private let isDrawn = Atomic(false)

    package init() {}

    /// Shows a text in place of the previous one.
    package func show(_ text: String) {
        guard StandardError.isTerminal else { return }
        isDrawn.store(true, ordering: .relaxed)
        StandardError.write("\r\u{1B}[K" + TerminalText.current(STDERR_FILENO).line("", text))
    }

    /// Clears the line.
    package func clear() {
        if isDrawn.exchange(false, ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
    }
}
