import CGTK
import FoundationEssentials
import Glibc
import PickerDialog

/// Standard input of a file dialog: the request is the first line, reports follow.
@MainActor
enum DialogInput {
    private static var waiting: [UInt8] = []
    private static var report: (FileDialogNews) -> Void = { _ in }
    private static var ended: () -> Void = {}

    /// The first line. Blocks until it is here.
    nonisolated static func first() -> Data {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        // One by one: what follows belongs to others.
        while line.count <= DialogRequest.longestDialog {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        return Data(line)
    }

    /// Reads reports as long as the window is shown.
    ///
    /// - Parameter ended: called when nobody writes any more.
    static func follow(_ report: @escaping (FileDialogNews) -> Void, ended: @escaping () -> Void) {
        self.report = report
        self.ended = ended
        g_unix_fd_add(
            STDIN_FILENO, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
            { _, _, _ in MainActor.assumeIsolated { DialogInput.take() } ? 1 : 0 }, nil)
    }

    private static func take() -> Bool {
        var part = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &part, part.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        guard count > 0 else {
            ended()
            return false
        }
        waiting += part.prefix(count)
        while let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
            if let news = FileDialogNews(line: Data(waiting[..<end])) { report(news) }
            waiting.removeSubrange(...end)
        }
        return true
    }
}
