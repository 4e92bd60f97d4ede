import Documents
import Glibc
import ProcessLaunching

/// A program that asks a person for a secret, as ssh and sudo use it: its argument is the question, its output is the
/// answer.
struct Askpass {
    /// A path, or a name to look up on PATH.
    let program: String
    /// How long the person has to answer.
    var deadline: Duration = .seconds(300)

    /// Asks. Blocks, but returns soon after the task is cancelled.
    ///
    /// - Returns: the output, without one line end at its end.
    /// - Throws: ``DocumentsError``: `cancelled` if the exit status is not 0, `deadlineExceeded`, and `invalidArgument`
    ///   if the program cannot be run.
    func ask(_ question: String) throws -> String {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DocumentsError(.failed, "A pipe for \(program) cannot be created.")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try start(question, output: ends[1])
        }
        var isOver = false
        defer { if !isOver { stop(process) } }
        let text: String
        do {
            text = try SecretDescriptor.read(ends[0], within: deadline)
        } catch let error as DocumentsError where error.code == .deadlineExceeded {
            throw DocumentsError(.deadlineExceeded, "\(program) did not give an answer in time.")
        }
        let status = try wait(process)
        isOver = true
        guard status == 0 else {
            throw DocumentsError(.cancelled, "\(program) was cancelled, so nothing was changed.")
        }
        var bytes = text.utf8[...]
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    private func start(_ question: String, output: CInt) throws(DocumentsError) -> pid_t {
        // In this session: it may ask on the terminal.
        var launch = ProgramLaunch(
            program, [question], environment: .own, descriptors: [.null, .copy(output), .own])
        launch.searchesPath = true
        do {
            return try launch.start()
        } catch {
            throw DocumentsError(
                .invalidArgument, "\(program) cannot be run: \(error.reason).",
                suggestion:
                    "--askpass, DOCENT_ASKPASS and SSH_ASKPASS name a program that asks for a secret.")
        }
    }

    /// The exit status. The program has closed its output, so its end is near.
    private func wait(_ process: pid_t) throws -> CInt {
        let end = ContinuousClock.now + .seconds(10)
        var status: CInt = 0
        while true {
            let result = waitpid(process, &status, WNOHANG)
            if result == process { return status }
            guard result == 0 || errno == EINTR, ContinuousClock.now < end, !Task.isCancelled else {
                throw DocumentsError(.cancelled, "\(program) did not exit, so nothing was changed.")
            }
            usleep(10_000)
        }
    }

    private func stop(_ process: pid_t) {
        kill(process, SIGTERM)
        for _ in 0..<100 {
            if waitpid(process, nil, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
