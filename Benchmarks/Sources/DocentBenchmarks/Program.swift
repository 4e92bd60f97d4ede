import Glibc

/// Runs programs with `posix_spawn` and `waitpid` only, so that little besides the program is measured.
enum Program {
    /// Runs a program to its end and returns how many seconds it took.
    ///
    /// - Parameters:
    ///   - input: path of a file for standard input.
    ///   - output: path of a file for standard output.
    /// - Throws: ``Problem`` when it cannot be started or fails.
    @discardableResult
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String], input: String = "/dev/null",
        output: String = "/dev/null"
    ) throws -> Double {
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var environmentPointers: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let start = Stopwatch.now
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, nil, &argumentPointers, &environmentPointers)
        guard result == 0 else { throw Problem("\(path) cannot be started: \(String(cString: strerror(result)))") }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Problem("waiting for \(path) failed") }
        }
        let seconds = Stopwatch.now - start
        guard status == 0 else { throw Problem("\(path) \(arguments.joined(separator: " ")) failed: status \(status)") }
        return seconds
    }
}
