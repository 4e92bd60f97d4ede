import CommandConsole
package import Documents
import Glibc
import Synchronization

/// The terminal of this process. It is left as it was found: by ``leave()``, and by ``restore()`` for an end that does
/// not get there. Every call blocks.
package final class TerminalDevice: Sendable {
    /// Whether the terminal can move its cursor.
    package enum Kind: Sendable {
        case drawing
        /// Line by line: `TERM` is dumb or unset.
        case lines
    }

    private struct Saved {
        let descriptor: CInt
        var settings: termios
        let kind: Kind
    }

    /// What has to be restored; at most one terminal is in use.
    private static let saved = Mutex<Saved?>(nil)
    // The cursor is shown and lines wrap again. A terminal without a second screen is cleared.
    private static let leaving = "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    // A second screen, no marks around what is pasted, no cursor, and no wrapping at the edge.
    private static let entering = "\u{1B}[?1049h\u{1B}[?2004l\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J\u{1B}[H"

    package let descriptor: CInt
    package let kind: Kind

    /// Opens the controlling terminal.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if there is none, or if it belongs to another job.
    package init(environment: [String: String]) throws(DocumentsError) {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.none }
        guard tcgetpgrp(descriptor) == getpgrp() else {
            close(descriptor)
            throw Self.none
        }
        let name = environment["TERM"] ?? ""
        kind = name.isEmpty || name == "dumb" ? .lines : .drawing
    }

    deinit { close(descriptor) }

    /// The error when there is no terminal to choose on.
    package static var none: DocumentsError {
        DocumentsError(
            .invalidArgument, "There is no terminal to choose a document on.",
            suggestion: "Name the document: PROVIDER[@DOMAIN]:/PATH. `docent ls PROVIDER:/` lists a folder.")
    }

    /// Whether this process can ask on a terminal.
    package static var isPresent: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return tcgetpgrp(descriptor) == getpgrp()
    }

    package var size: TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize()
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Takes the terminal: keys arrive one by one and are not shown. What was typed before is discarded.
    func enter() {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        // After a stop, what was saved first is still what has to be restored.
        Self.saved.withLock { saved in
            if saved == nil { saved = Saved(descriptor: descriptor, settings: settings, kind: kind) }
        }
        guard kind == .drawing else { return }
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON)
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        write(Self.entering)
    }

    /// Gives the terminal back.
    func leave() { Self.restore() }

    /// Gives the terminal back if it was taken. Safe from any thread, and repeatedly.
    package static func restore() {
        guard
            let saved = saved.withLock({ saved in
                defer { saved = nil }
                return saved
            })
        else { return }
        if saved.kind == .drawing { try? ContentPump.write(Array(leaving.utf8), to: saved.descriptor) }
        var settings = saved.settings
        tcsetattr(saved.descriptor, saved.kind == .drawing ? TCSAFLUSH : TCSANOW, &settings)
    }

    func write(_ text: String) { try? ContentPump.write(Array(text.utf8), to: descriptor) }
}
