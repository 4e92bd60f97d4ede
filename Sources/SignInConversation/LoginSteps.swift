import CommandConsole
import DocentInterfaces
import Documents
import Synchronization

/// Shows a person what to do for a login, and how long there is for it.
package final class LoginSteps: Sendable {
    private struct State {
        var what = "Signing in"
        var since: ContinuousClock.Instant = .now
        /// When the step is over, where it says so.
        var end: ContinuousClock.Instant?
        /// Whether a person is being asked: the line is theirs.
        var isAsking = false
    }

    /// No step is waited for longer, whatever a provider says.
    private static let longest: Double = 3600
    /// After its end the service has a moment to say so itself.
    private static let grace: Duration = .seconds(20)

    private let state = Mutex(State())
    private let status = StatusLine()
    private let environment: [String: String]
    private let opensBrowser: Bool

    /// - Parameters:
    ///   - environment: names the browser.
    ///   - opensBrowser: whether one is opened, where there is one.
    package init(environment: [String: String], opensBrowser: Bool) {
        self.environment = environment
        self.opensBrowser = opensBrowser
    }

    /// Shows a step.
    ///
    /// - Parameter now: seconds since 1970.
    func show(_ step: Wire.SignInStep, now: Double) {
        status.clear()
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

    /// Shows nothing while a person is asked.
    func setAsking(_ isAsking: Bool) {
        state.withLock { state in
            state.isAsking = isAsking
            state.since = .now
        }
        status.clear()
    }

    /// Tells how long it takes, until the task is cancelled.
    ///
    /// - Throws: ``DocumentsError`` `deadlineExceeded` when the time of a step is over.
    func run() async throws(DocumentsError) {
        defer { status.clear() }
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            let now = state.withLock { $0 }
            if let end = now.end, ContinuousClock.now > end + Self.grace {
                throw DocumentsError(
                    .deadlineExceeded, "The code was not used in time.",
                    suggestion: "Run the command again for another.")
            }
            let seconds = Int((ContinuousClock.now - now.since).components.seconds)
            let left = now.end.map { Int(($0 - .now).components.seconds) }
            if seconds > 0, !now.isAsking, !Task.isCancelled {
                status.show(LoginText.waiting(now.what, seconds: seconds, left: left))
            }
        }
    }
}
