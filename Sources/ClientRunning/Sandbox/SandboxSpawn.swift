import Glibc
import ProcessLaunching

/// Starts bubblewrap in a session of its own, with only the given descriptors.
enum SandboxSpawn {
    private typealias Limit =
        @convention(c) (pid_t, CInt, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> CInt

    /// - Parameter descriptors: they get the numbers from 0 up.
    static func start(
        _ program: String, _ arguments: [String], descriptors: [ProgramLaunch.Source]
    ) throws(LaunchFailure) -> pid_t {
        // The options set the environment of the program in the sandbox. Nothing may affect bubblewrap itself.
        var launch = ProgramLaunch(
            program, arguments, environment: .exactly(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]),
            descriptors: descriptors)
        // The program gets the input of the user's terminal only through this process.
        launch.startsSession = true
        return try launch.start()
    }

    /// The version that bubblewrap reports, or nil. Blocks until it answers.
    static func version(of program: String) -> SandboxVersion? {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = try? start(program, ["--version"], descriptors: [.null, .copy(ends[1]), .null])
        close(ends[1])
        guard let process else { return nil }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while text.count < 4096 {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        return SandboxVersion(String(decoding: text, as: UTF8.self))
    }

    /// Limits open files. The hard limit is set too, so that it cannot be raised again (T4).
    static func limitOpenFiles(of process: pid_t, to count: rlim_t) {
        var known = rlimit()
        guard let limit = function("prlimit", Limit.self),
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &known) == 0
        else { return }
        var wanted = rlimit(rlim_cur: min(count, known.rlim_cur), rlim_max: min(count, known.rlim_max))
        _ = limit(process, CInt(RLIMIT_NOFILE.rawValue), &wanted, nil)
    }

    /// A function of glibc whose declaration needs _GNU_SOURCE, which the Glibc module does not define.
    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }
}
