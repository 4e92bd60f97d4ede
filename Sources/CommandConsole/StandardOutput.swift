import Documents
import Glibc

/// Standard output, unbuffered.
package enum StandardOutput {
    /// Writes text.
    ///
    /// - Throws: ``SilentExit`` if the reader has gone, ``DocumentsError`` for any other error.
    package static func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes.
    ///
    /// - Throws: as above.
    package static func write(_ bytes: [UInt8]) throws { try ContentPump.write(bytes, to: STDOUT_FILENO) }

    /// Whether standard output is a terminal.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The number of columns of the terminal; nil if there is none, or if it is unknown.
    package static var columns: Int? { terminalColumns(STDOUT_FILENO) }
}

/// Standard error, unbuffered.
package enum StandardError {
    /// Writes text. Errors are ignored.
    package static func write(_ text: String) { try? ContentPump.write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether standard error is a terminal.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The number of columns of the terminal; nil if there is none, or if it is unknown.
    package static var columns: Int? { terminalColumns(STDERR_FILENO) }
}

private func terminalColumns(_ descriptor: CInt) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}
