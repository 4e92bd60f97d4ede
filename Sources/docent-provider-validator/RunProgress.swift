import FileProviderValidation
import Glibc
import Synchronization

/// One line on standard error that shows the progress of a run. Thread-safe.
final class RunProgress: Sendable {
    private struct State {
        var done = 0
        var failures = 0
    }

    private let total: Int
    private let isShown: Bool
    private let state = Mutex(State())

    /// - Parameter isShown: false: nothing is ever written.
    init(_ total: Int, isShown: Bool) {
        self.total = total
        self.isShown = isShown
    }

    /// Reports that a case begins (without a result) or has ended.
    func note(_ testCase: ValidationCase, _ result: CaseResult?) {
        let (done, failures) = state.withLock { state in
            if let result {
                state.done += 1
                if result.isFailure { state.failures += 1 }
            }
            return (state.done, state.failures)
        }
        guard isShown else { return }
        let filled = total > 0 ? done * 20 / total : 20
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        let failed = failures > 0 ? ", \(failures) failed" : ""
        FileDescriptorText.write("\r\u{1B}[K[\(bar)] \(done)/\(total)\(failed)  \(testCase.name)", to: STDERR_FILENO)
    }

    /// Clears the line.
    func clear() {
        if isShown { FileDescriptorText.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }
}
