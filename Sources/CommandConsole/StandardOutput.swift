import Documents
import Glibc

/// Standard output, written through without buffering.
package enum StandardOutput {
    /// Writes text.
    ///
    /// - Throws: ``SilentExit`` when the reader has gone, ``DocumentsError`` for anything else.
    package static func write(_ text: String) throws { try ContentPump.write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Whether a person sees it.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many columns the terminal has; nil where it is none, or does not know.
    package static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// Standard error.
package enum StandardError {
    /// Writes text; what cannot be written is lost.
    package static func write(_ text: String) { try? ContentPump.write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether a person sees it.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
