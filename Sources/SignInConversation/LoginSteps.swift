import CommandConsole
import DocentInterfaces
import Documents
import Synchronization

/// Shows a person what to do for a login, and how much time is left. Thread-safe.
package final class LoginSteps: Sendable {
    private struct State {
        var what = "Signing in"
        var since: ContinuousClock.Instant = .now
        /// The end of the step, if it has one.
        var end: ContinuousClock.Instant?
        /// Whether a person is being asked. The line is then theirs.
        var isAsking = false
    }

    /// The longest time for a step in seconds, whatever a provider says.
    private static let longest: Double = 3600
    /// How long the service has to report the end of a step itself.
    private static let grace: Duration = .seconds(20)

    private let state = Mutex(State())
    private let status = StatusLine()
    private let environment: [String: String]
    private let opensBrowser: Bool
    private let message: (@Sendable (String) throws -> Bool)?

    /// - Parameters:
    ///   - environment: names the browser.
    ///   - opensBrowser: whether to open a browser, if there is one.
    ///   - message: receives each message before it is shown; true: it is not shown then. An error ends the login.
    package init(
        environment: [String: String], opensBrowser: Bool, message: (@Sendable (String) throws -> Bool)? = nil
    ) {
        self.environment = environment
        self.opensBrowser = opensBrowser
        self.message = message
    }

    /// Shows a step.
    ///
    /// - Parameter now: seconds since 1970.
    func show(_ step: Wire.SignInStep, now: Double) throws {
        status.clear()
        if step.kind == "message", let text = step.message, try message?(text) == true { return }
        let isOpened = step.kind == "open" && opensBrowser && Browser.open(step.url ?? "", environment)
        StandardError.write(LoginText.step(step, isOpened: isOpened))
        guard step.kind != "message" else { return }
        state.withLock { state in
            state.what =
                step.kind == "open" ? "Waiting for the browser" : "Waiting for the code to be used"
            state.since = .now
            state.end = step.expires.map { .now + .seconds(max(0, min($0 - now, Self.longest))) }
        }
    }

    /// While a person is being asked, nothing is shown.
    func setAsking(_ isAsking: Bool) {
        state.withLock { state in
            state.isAsking = isAsking
            state.since = .now
        }
        status.clear()
    }

    /// Shows the time until the task is cancelled.
    ///
    /// - Throws: ``DocumentsError`` `deadlineExceeded` when the time for a step is over.
    func run() async throws(DocumentsError) {
        defer { status.clear() }
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            let now = state.withLock { $0 }
            if let end = now.end, ContinuousClock.now > end + Self.grace {
                throw DocumentsError(
                    .deadlineExceeded, "The code was not used in time.",
                    suggestion: "Run the command again to get another code.")
            }
            let seconds = Int((ContinuousClock.now - now.since).components.seconds)
            let left = now.end.map { Int(($0 - .now).components.seconds) }
            if seconds > 0, !now.isAsking, !Task.isCancelled {
                status.show(LoginText.waiting(now.what, seconds: seconds, left: left))
            }
        }
    }
}
