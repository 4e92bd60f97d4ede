import CommandConsole
import Documents
import Glibc

/// The output of `docent watch`: a screen that is redrawn, lines, or objects.
struct WatchOutput {
    let isJSON: Bool
    let isLive: Bool
    private var screen = Screen()
    private var lines = WatchLines()

    /// - Parameter isLive: whether standard output is a terminal.
    init(isJSON: Bool, isLive: Bool) {
        self.isJSON = isJSON
        self.isLive = isLive
    }

    /// Shows what has changed.
    mutating func show(_ status: TransferStatus) throws {
        if isJSON { return try StandardOutput.write(WatchText.record(status).compact + "\n") }
        guard isLive else { return try StandardOutput.write(lines.next(status)) }
        try screen.show(WatchText.screen(status, TerminalText.current(STDOUT_FILENO)))
    }
}
