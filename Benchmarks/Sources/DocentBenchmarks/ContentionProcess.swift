import Glibc

/// A worker process, connected by two pipes.
final class ContentionProcess {
    let process: pid_t
    private let input: CInt
    private let output: CInt
    private var rest: [UInt8] = []

    init(_ work: ContentionWorker.Work, _ installation: Installation) throws {
        var commands: [CInt] = [0, 0]
        var answers: [CInt] = [0, 0]
        guard pipe(&commands) == 0, pipe(&answers) == 0 else { throw Problem("there is no pipe left") }
        for descriptor in [commands[1], answers[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, commands[0], 0)
        posix_spawn_file_actions_adddup2(&actions, answers[1], 1)
        let program = CommandLine.arguments[0]
        var arguments = (["/proc/self/exe"] + work.arguments).map { strdup($0) } + [nil]
        var environment = installation.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var started: pid_t = 0
        let result = posix_spawnp(&started, program, &actions, nil, &arguments, &environment)
        close(commands[0])
        close(answers[1])
        input = commands[1]
        output = answers[0]
        process = started
        guard result == 0 else { throw Problem("a worker cannot be started: \(String(cString: strerror(result)))") }
    }

    /// Starts its turns.
    func begin() { _ = write(input, "\n", 1) }

    /// The next line of its output.
    func line() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Array(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { throw Problem("a worker ended early") }
            rest += bytes.prefix(count)
        }
    }

    /// Ends it.
    func end() {
        kill(process, SIGKILL)
        close(input)
        close(output)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
