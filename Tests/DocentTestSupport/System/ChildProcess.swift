import Foundation
package import Glibc
import ProcessLaunching
import Synchronization

/// A program started by a test. Foundation's `Process` sometimes crashes the test process.
///
/// The child has only the three standard streams, and no blocked or ignored signals.
package final class ChildProcess: Sendable {
    /// The target of a standard stream.
    package enum Stream {
        case null
        case file(String)
        case descriptor(Int32)
    }

    package enum TerminationReason {
        case exit
        case uncaughtSignal
    }

    package let processIdentifier: pid_t
    /// The status from waitpid; nil until the child has been waited for. Signals are sent only under this lock, so that
    /// the process number is still the child's.
    private let ending = Mutex<Int32?>(nil)

    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String], folder: String? = nil,
        input: Stream = .null, output: Stream = .null, errors: Stream = .null
    ) throws {
        Admission.expect(.programs)
        var files: [Int32] = []
        defer { for file in files { close(file) } }
        var descriptors: [ProgramLaunch.Source] = []
        for (number, stream) in [input, output, errors].enumerated() {
            switch stream {
            case .null: descriptors.append(.null)
            case .file(let path):
                let file = open(path, (number == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC)
                guard file >= 0 else { throw Problem("cannot open \(path) for \(program)") }
                files.append(file)
                descriptors.append(.copy(file))
            case .descriptor(let descriptor): descriptors.append(.copy(descriptor))
            }
        }
        var launch = ProgramLaunch(
            program, arguments, environment: .exactly(environment), descriptors: descriptors)
        launch.folder = folder
        do {
            processIdentifier = try launch.start()
        } catch {
            throw Problem("cannot start \(program): \(error.reason)")
        }
    }

    deinit {
        // Collect the process, so that it does not remain as a zombie.
        if isRunning {
            let process = processIdentifier
            Thread.detachNewThread { while waitpid(process, nil, 0) < 0 && errno == EINTR {} }
        }
    }

    package var isRunning: Bool { status == nil }

    /// Waits until the process has ended. Blocks the thread.
    package func waitUntilExit() {
        var information = siginfo_t()
        // Leaves the child to be collected under the lock.
        while isRunning { waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) }
    }

    /// How it ended; `.exit` while it is running.
    package var terminationReason: TerminationReason {
        guard let status, status & 0x7f != 0 else { return .exit }
        return .uncaughtSignal
    }

    /// The exit status, or the signal that ended it; -1 while it is running.
    package var terminationStatus: Int32 {
        guard let status else { return -1 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }

    /// Sends a signal, unless the child has ended.
    package func send(_ signal: Int32) {
        ending.withLock { ending in
            if Self.collect(&ending, processIdentifier) == nil { kill(processIdentifier, signal) }
        }
    }

    private var status: Int32? { ending.withLock { Self.collect(&$0, processIdentifier) } }

    private static func collect(_ ending: inout Int32?, _ process: pid_t) -> Int32? {
        if ending == nil {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { ending = status }
        }
        return ending
    }
}
