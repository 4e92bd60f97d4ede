import CLinux
import Glibc
import ProcessLaunching

/// Starts the daemon when none answers. A confined client never starts one.
package enum DaemonLauncher {
    /// The path of the daemon program: from `DOCENT_DAEMON`, beside this program, in `../libexec/docent`, on `PATH`, or
    /// below the prefix of the `docent` on `PATH`.
    package static func program(environment: [String: String]) -> String? {
        program("docentd", variable: "DOCENT_DAEMON", environment: environment)
    }

    /// The path of one of the daemon's programs: from a variable if there is one, beside this program, in
    /// `../libexec/docent`, on `PATH`, or below the prefix of the `docent` on `PATH`.
    package static func program(_ name: String, variable: String?, environment: [String: String]) -> String? {
        if let variable, let given = environment[variable], !given.isEmpty { return given }
        var candidates: [String] = []
        if let own = ownProgram() {
            let folder = own.split(separator: "/").dropLast()
            candidates.append("/" + folder.joined(separator: "/") + "/" + name)
            candidates.append("/" + folder.dropLast().joined(separator: "/") + "/libexec/docent/" + name)
        }
        candidates += ["/usr/local/libexec/docent/" + name, "/usr/libexec/docent/" + name]
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        candidates += path.map { $0 + "/" + name }
        return candidates.first { access($0, X_OK) == 0 } ?? besideCommand(name, path)
    }

    /// Looks below the prefix of the installed `docent` on `PATH`, because a program that links this library may be
    /// anywhere.
    private static func besideCommand(_ name: String, _ path: [String]) -> String? {
        guard let command = path.map({ $0 + "/docent" }).first(where: { access($0, X_OK) == 0 }),
            let resolved = realpath(command, nil)
        else { return nil }
        defer { free(resolved) }
        let folder = String(cString: resolved).split(separator: "/").dropLast()
        let prefix = "/" + folder.dropLast().joined(separator: "/")
        let candidates = ["/" + folder.joined(separator: "/") + "/" + name, prefix + "/libexec/docent/" + name]
        return candidates.first { access($0, X_OK) == 0 }
    }

    private static func ownProgram() -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The environment of a started daemon: a fixed set of variables, and what its user set for a private instance.
    static func environment(_ own: [String: String]) -> [String: String] {
        let fixed: Set<String> = [
            "HOME", "USER", "LOGNAME", "LANG", "TZ", "DBUS_SESSION_BUS_ADDRESS", "CREDENTIALS_DIRECTORY",
        ]
        return own.filter { key, _ in
            key != "DOCENT_SOCKET"
                && (fixed.contains(key) || key.hasPrefix("XDG_") || key.hasPrefix("DOCENT_") || key.hasPrefix("LC_"))
        }.merging(["PATH": "/usr/local/bin:/usr/bin:/bin"]) { _, new in new }
    }

    /// The result of starting a daemon.
    package enum Outcome: Sendable, Hashable {
        /// The daemon answers, or another one holds the lock and may need a moment before it answers.
        case started
        /// A signal ended it before it answered.
        case killed
    }

    /// The error for a daemon that ends before it answers.
    ///
    /// - Parameter reason: what the daemon reported, or how it ended; nil when unknown.
    package static func doesNotStart(_ reason: String? = nil) -> DocumentsError {
        DocumentsError(
            .unavailable, "The Docent daemon does not start\(reason.map { ": " + $0 } ?? "").",
            suggestion: "Run `docent daemon start --foreground` to see its full output.")
    }

    /// Starts a daemon in its own session and waits until it or another daemon answers.
    ///
    /// Blocks for at most `seconds`.
    ///
    /// - Throws: ``DocumentsError`` `unavailable` when there is no daemon program or it does not start.
    @discardableResult
    package static func start(environment: [String: String], seconds: Int = 20) throws(DocumentsError) -> Outcome {
        guard let program = program(environment: environment) else {
            throw DocumentsError(
                .unavailable, "The Docent daemon is not running and docentd was not found.",
                suggestion: "Install Docent, or name the program in DOCENT_DAEMON.")
        }
        var pipeEnds: [CInt] = [-1, -1]
        let made = clinux_pipe(&pipeEnds)
        guard made == 0 else {
            throw DocumentsError(.unavailable, "Cannot create a pipe: \(String(cString: strerror(-made))).")
        }
        defer { close(pipeEnds[0]) }
        let process: pid_t
        do {
            defer { close(pipeEnds[1]) }
            process = try launch(program, readiness: pipeEnds[1], Self.environment(environment)).start()
        } catch {
            throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).")
        }
        var poll = pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, CInt(seconds) * 1000) == 1 else {
            reap(process)
            throw DocumentsError(
                .unavailable, "The Docent daemon did not start within \(seconds) seconds.",
                suggestion: "Run `docent daemon start --foreground` to see why.")
        }
        let said = DaemonReadiness.read(from: pipeEnds[0])
        guard said != .ready else {
            reap(process)
            return .started
        }
        // It closed the pipe without the ready byte: either another daemon holds the lock, which is success, or it
        // failed.
        var status: CInt = 0
        guard waitpid(process, &status, 0) == process, status != 0 else { return .started }
        // The low seven bits are the signal.
        guard status & 0x7F == 0 else { return .killed }
        throw doesNotStart(said.reason ?? DaemonReadiness.text(status: status))
    }

    /// Waits for a daemon that is this process's child, so that it does not remain as a zombie.
    private static func reap(_ process: pid_t) {
        BlockingWork.run {
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    private static func launch(
        _ program: String, readiness: CInt, _ environment: [String: String]
    ) -> ProgramLaunch {
        let log = environment["DOCENT_LOG_FILE"].flatMap { $0.isEmpty ? nil : $0 } ?? "/dev/null"
        var launch = ProgramLaunch(
            program, ["--ready-descriptor", "3"], environment: .exactly(environment),
            descriptors: [.null, .null, .appending(log), .copy(readiness)])
        // It outlives the terminal.
        launch.startsSession = true
        return launch
    }
}
