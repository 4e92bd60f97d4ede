import Foundation
package import Glibc
import Synchronization

/// A program started by a test with posix_spawn. Foundation's `Process` sometimes crashes the test process.
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            let target = Int32(number)
            let flags = number == 0 ? O_RDONLY : O_WRONLY
            switch stream {
            case .null: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", flags, 0)
            case .file(let path): posix_spawn_file_actions_addopen(&actions, target, path, flags, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            }
        }
        _ = try Self.symbol("posix_spawn_file_actions_addclosefrom_np", CloseFrom.self)(&actions, 3)
        if let folder {
            _ = try Self.symbol("posix_spawn_file_actions_addchdir_np", ChangeFolder.self)(&actions, folder)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
        guard error == 0 else { throw Problem("cannot start \(program): \(String(cString: strerror(error)))") }
        processIdentifier = process
    }

    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    private typealias CloseFrom = @convention(c) (Actions, Int32) -> Int32
    private typealias ChangeFolder = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32

    /// A glibc function whose declaration requires _GNU_SOURCE, which the Glibc module does not define.
    private static func symbol<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        guard let address = dlsym(nil, name) else { throw Problem("no \(name) in the C library") }
        return unsafeBitCast(address, to: type)
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
