import Documents
import Glibc

/// Standard output, written through without buffering.
enum StandardOutput {
    /// Writes text.
    ///
    /// - Throws: ``SilentExit`` when the reader has gone, ``DocumentsError`` for anything else.
    static func write(_ text: String) throws { try ContentPump.write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Whether a person sees it.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Standard error.
enum StandardError {
    /// Writes text; what cannot be written is lost.
    static func write(_ text: String) { try? ContentPump.write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether a person sees it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
