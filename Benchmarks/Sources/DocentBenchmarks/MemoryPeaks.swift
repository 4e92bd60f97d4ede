import Foundation
import Glibc
import Synchronization

/// Samples the resident sizes of a daemon and of its largest extension ten times a second: the kernel's own peak lags.
final class MemoryPeaks: Sendable {
    private struct State {
        var values: [Double]
        var problem: (any Error)?
        var isOver = false
    }

    private let processes: [Int]
    private let state: Mutex<State>

    /// Starts sampling.
    init(_ installation: Installation) throws {
        let extensions = try installation.extensionProcesses().map { ($0, try Installation.memory($0)) }
        guard let largest = extensions.max(by: { $0.1 < $1.1 }) else { throw Problem("no extension runs") }
        let processes = [try installation.daemonProcess(), largest.0]
        self.processes = processes
        state = Mutex(State(values: try processes.map { try Installation.memory($0, "VmHWM") }))
        // Not a task, because Swift's threads may be blocked by the measured work.
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                look()
                usleep(100_000)
            }
        }
    }

    /// The peaks so far in MiB: of the daemon, and of the extension.
    var values: [Double] { state.withLock { $0.values } }

    /// Stops sampling.
    ///
    /// - Returns: the peaks in MiB.
    /// - Throws: ``Problem`` or another error when a process had ended.
    func end() throws -> [Double] {
        look()
        return try state.withLock { state in
            state.isOver = true
            if let problem = state.problem { throw problem }
            return state.values
        }
    }

    private func look() {
        let now = Result {
            try processes.map { max(try Installation.memory($0, "VmHWM"), try Installation.memory($0)) }
        }
        state.withLock { state in
            guard !state.isOver else { return }
            switch now {
            case .success(let values): state.values = zip(state.values, values).map { max($0, $1) }
            case .failure(let error): state.problem = error
            }
        }
    }
}
