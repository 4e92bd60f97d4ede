import CGIO
import DesktopPrograms
import FoundationEssentials
import PickerDialog
import PortalDialog

/// A request of a program, and its window.
@MainActor
final class PortalCall {
    let request: PortalRequest
    let answer: PortalAnswer
    /// The connection that may end it.
    let sender: String
    let began = ContinuousClock.now
    /// What watches whether the program is still there.
    var watches: [guint] = []
    /// The object that ends the request; 0 for none.
    var object: guint = 0
    private var window: ChildProgram?

    init(_ request: PortalRequest, _ answer: PortalAnswer, sender: String) {
        self.request = request
        self.answer = answer
        self.sender = sender
    }

    /// Opens the window.
    ///
    /// - Parameter ended: called when it has ended, in whatever way.
    /// - Returns: whether it could be started.
    func show(ended: @escaping @Sendable (ChildProgram.Ending) -> Void) -> Bool {
        guard let program = ProgramPlace.path(of: "docent-picker"), let line = try? request.dialog.json() else {
            return false
        }
        window = ChildProgram.start(program, ["--dialog"], ended: ended)
        window?.write(line: Array(line))
        return window != nil
    }

    /// The window says how many other requests of this program wait.
    func report(_ others: Int) {
        if let line = try? JSONEncoder().encode(FileDialogNews(others: others)) { window?.write(line: Array(line)) }
    }

    /// The window ends itself when nobody writes to it any more.
    func close() { window?.finishInput() }
}
