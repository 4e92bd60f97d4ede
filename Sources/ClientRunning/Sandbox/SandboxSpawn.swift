import Glibc

/// Starts bubblewrap in a session of its own, with only the given descriptors.
enum SandboxSpawn {
    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    private typealias CloseFrom = @convention(c) (Actions, CInt) -> CInt
    private typealias Limit =
        @convention(c) (pid_t, CInt, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> CInt

    /// - Parameter descriptors: they get the numbers from 0 up.
    /// - Returns: 0 or an error number.
    static func spawn(
        _ program: String, _ arguments: [String], descriptors: [CInt], _ process: inout pid_t
    ) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Moved first, away from the numbers that they are to have.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 128) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        guard copies.allSatisfy({ $0 >= 0 }),
            let closeFrom = function("posix_spawn_file_actions_addclosefrom_np", CloseFrom.self)
        else { return EMFILE }
        for (number, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, CInt(number)) }
        _ = closeFrom(&actions, CInt(copies.count))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A separate session: what is typed on the user's terminal reaches the program only through this process.
        // (POSIX_SPAWN_SETSID)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))

        var words = arguments.map { strdup($0) } + [nil]
        // The options set the program's environment. Nothing may affect bubblewrap itself.
        let fixed = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
        var variables = fixed.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        return posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    }

    /// The version that bubblewrap reports, or nil. Blocks until it answers.
    static func version(of program: String) -> SandboxVersion? {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer {
            close(ends[0])
            if nothing >= 0 { close(nothing) }
        }
        var process: pid_t = 0
        let result = spawn(program, ["bwrap", "--version"], descriptors: [nothing, ends[1], nothing], &process)
        close(ends[1])
        guard result == 0 else { return nil }
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
