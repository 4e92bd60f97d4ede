import Glibc
import Synchronization

/// A line on standard error that takes its own place again; none where that is no terminal.
package final class StatusLine: Sendable {
    private let isDrawn = Atomic(false)

    package init() {}

    /// Shows a text instead of what was shown.
    package func show(_ text: String) {
        guard StandardError.isTerminal else { return }
        isDrawn.store(true, ordering: .relaxed)
        StandardError.write("\r\u{1B}[K" + TerminalText.current(STDERR_FILENO).line("", text))
    }

    /// Takes the line away.
    package func clear() {
        if isDrawn.exchange(false, ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
    }
}
