import Documents
import Glibc

/// The program's own terminal: two ends, closed with the value. What the program does to it does not affect the user's.
final class PseudoTerminal: Sendable {
    /// The end of this process.
    let main: CInt
    /// The end of the program.
    let other: CInt

    /// - Parameter model: the terminal whose settings and size are copied.
    /// - Throws: ``DocumentsError`` `unavailable`.
    init(like model: CInt) throws(DocumentsError) {
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN, which the C library's headers do not name.
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var isLocked: CInt = 0
        var number: CUnsignedInt = 0
        guard main >= 0, ioctl(main, setLock, &isLocked) == 0, ioctl(main, getNumber, &number) == 0 else {
            throw Self.failure(main)
        }
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw Self.failure(main) }
        self.main = main
        self.other = other
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
        var settings = termios()
        if tcgetattr(model, &settings) == 0 { tcsetattr(other, TCSANOW, &settings) }
        copySize(of: model)
    }

    deinit {
        close(main)
        close(other)
    }

    /// Copies the size of another terminal. The program is notified.
    func copySize(of model: CInt) {
        var size = winsize()
        if ioctl(model, UInt(TIOCGWINSZ), &size) == 0 { _ = ioctl(main, UInt(TIOCSWINSZ), &size) }
    }

    /// Notifies the foreground programs that the size may have changed, so that full-screen programs redraw.
    func askForRepaint() {
        let group = tcgetpgrp(main)
        if group > 0 { kill(-group, SIGWINCH) }
    }

    private static func failure(_ descriptor: CInt) -> DocumentsError {
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        return DocumentsError(
            .unavailable, "A terminal cannot be created for the program: \(String(cString: strerror(code))).",
            suggestion: "Run it without a terminal: docent run … </dev/null 2>&1 | cat")
    }
}
