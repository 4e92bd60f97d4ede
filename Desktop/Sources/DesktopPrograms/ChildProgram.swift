import Dispatch
import Glibc

/// A program that this one has started, with pipes to its standard input and output. It gets no other descriptors: what
/// GLib and these pipes open is closed in a new program.
package final class ChildProgram: Sendable {
    /// How a program ended, and what it wrote.
    package struct Ending: Equatable, Sendable {
        /// Its exit code; nil if a signal ended it.
        package var code: CInt?
        /// What it wrote to standard output, and to standard error if that was asked for.
        package var output: [UInt8]

        package init(code: CInt?, output: [UInt8]) {
            self.code = code
            self.output = output
        }
    }

    /// The most bytes of its output that are kept.
    private static let longest = 1 << 24

    /// Writes to standard input, one line after the other, without making anybody wait.
    private let writer: DispatchQueue
    private let input: CInt
    private let isOpen = Flag()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - keepsErrors: whether what it writes to standard error belongs to its output.
    ///   - ended: called once, on a thread of its own, when it has ended and nobody writes to its output any more.
    /// - Returns: nil if it cannot be started.
    @MainActor
    package static func start(
        _ program: String, _ arguments: [String] = [], keepsErrors: Bool = false,
        ended: @escaping @Sendable (Ending) -> Void
    ) -> ChildProgram? {
        var toChild: [CInt] = [-1, -1]
        var fromChild: [CInt] = [-1, -1]
        guard pipe(&toChild) == 0 else { return nil }
        guard pipe(&fromChild) == 0 else {
            toChild.forEach { close($0) }
            return nil
        }
        // All programs are started on the main actor: none gets the pipes of another in between.
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var process: pid_t = 0
        let result = spawn(&process, program, arguments, toChild[0], fromChild[1], keepsErrors)
        close(toChild[0])
        close(fromChild[1])
        guard result == 0 else {
            close(toChild[1])
            close(fromChild[0])
            return nil
        }
        let child = ChildProgram(input: toChild[1])
        let output = fromChild[0]
        DispatchQueue(label: "org.docent.desktop.child").async { [process] in
            let bytes = read(output)
            close(output)
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            child.finishInput()
            ended(Ending(code: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil, output: bytes))
        }
        return child
    }

    /// Runs a program to its end. What it reads is empty.
    ///
    /// - Returns: nil if it cannot be started.
    @MainActor
    package static func run(_ program: String, _ arguments: [String]) async -> Ending? {
        await withCheckedContinuation { continuation in
            let child = start(program, arguments, keepsErrors: true) { continuation.resume(returning: $0) }
            guard let child else { return continuation.resume(returning: nil) }
            child.finishInput()
        }
    }

    private init(input: CInt) {
        self.input = input
        writer = DispatchQueue(label: "org.docent.desktop.child.input")
    }

    /// Writes a line to its standard input. A program that has ended reads nothing.
    package func write(line: [UInt8]) {
        let bytes = line + [UInt8(ascii: "\n")]
        writer.async { [self] in
            guard isOpen.take(keeping: true) else { return }
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    Glibc.write(input, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Closes its standard input.
    package func finishInput() {
        writer.async { [self] in
            if isOpen.take(keeping: false) { close(input) }
        }
    }

    /// Used on the queue of the writer only.
    private final class Flag: Sendable {
        nonisolated(unsafe) private var isSet = true

        func take(keeping: Bool) -> Bool {
            defer { if !keeping { isSet = false } }
            return isSet
        }
    }

    private static func read(_ descriptor: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < longest {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes
    }

    private static func spawn(
        _ process: inout pid_t, _ program: String, _ arguments: [String], _ input: CInt, _ output: CInt,
        _ keepsErrors: Bool
    ) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if keepsErrors { posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO) }
        // What this program ignores, its child does not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var words = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        return posix_spawn(&process, program, &actions, &attributes, words, environ)
    }
}
