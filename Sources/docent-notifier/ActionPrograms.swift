import CLinux
import Dispatch
import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching

/// The programs that carry out what a person has chosen: `docent` itself, so that a click does what the command does.
struct ActionPrograms: Sendable {
    /// How long a command may take before it is ended.
    static let patience = Duration.seconds(600)
    /// How much of what a command says is read.
    private static let most = 4096

    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    // MARK: Commands

    /// Runs `docent`, without a terminal.
    ///
    /// - Returns: why it has failed; nil if it has not.
    func run(_ arguments: [String]) async -> String? {
        guard let docent = path(of: "docent") else { return "docent was not found." }
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "org.docent.notifier.command").async {
                continuation.resume(returning: Self.failure(of: docent, arguments))
            }
        }
    }

    private static func failure(of program: String, _ arguments: [String]) -> String? {
        var ends: [CInt] = [-1, -1]
        let made = clinux_pipe(&ends)
        guard made == 0 else { return String(cString: strerror(-made)) }
        defer { close(ends[0]) }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try ProgramLaunch(
                program, arguments, environment: .own, descriptors: [.null, .null, .copy(ends[1])]
            ).start()
        } catch { return "docent cannot be started: \(error.reason)." }
        let text = read(ends[0], until: .now + patience) { kill(process, SIGTERM) }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status != 0 else { return nil }
        let line = text.split(separator: "\n").first.map(String.init) ?? "docent ended with \(status >> 8 & 0xFF)."
        return line.hasPrefix("docent: ") ? String(line.dropFirst(8)) : line
    }

    /// Reads until the other end is closed; after the deadline it ends the program, once.
    private static func read(
        _ descriptor: CInt, until deadline: ContinuousClock.Instant, _ end: () -> Void
    ) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var isEnded = false
        while true {
            let (seconds, _) = (deadline - .now).components
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let wait = isEnded ? -1 : CInt(clamping: max(0, seconds + 1) * 1000)
            let ready = poll(&waited, 1, wait)
            if ready < 0, errno == EINTR { continue }
            if ready == 0 {
                isEnded = true
                end()
                continue
            }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < most { bytes += buffer.prefix(count) }
        }
    }

    // MARK: Terminals

    /// Runs `docent` in a terminal of its own, where the user can read what it writes.
    ///
    /// - Returns: why it has failed; nil if the terminal is there.
    func show(_ arguments: [String]) -> String? {
        guard let docent = path(of: "docent") else { return "docent was not found." }
        guard let terminal = terminal() else {
            return "There is no terminal; install xdg-terminal-exec, or set TERMINAL."
        }
        let words = terminal.words + ["/bin/sh", "-c", Self.script, docent] + arguments
        var launch = ProgramLaunch(
            terminal.program, words, environment: .own, descriptors: [.null, .null, .null])
        launch.startsSession = true
        launch.folder = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        do {
            let process = try launch.start()
            DispatchQueue(label: "org.docent.notifier.terminal").async {
                var status: CInt = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            return nil
        } catch { return "\(terminal.program) cannot be started: \(error.reason)." }
    }

    // A pager keeps the window open. `$0` is docent; no word of it is read by the shell.
    private static let script = "\"$0\" \"$@\" 2>&1 | ${PAGER:-$(command -v less || echo more)}"

    private func terminal() -> (program: String, words: [String])? {
        if let program = path(of: "xdg-terminal-exec") { return (program, []) }
        for name in [environment["TERMINAL"], "x-terminal-emulator", "xterm"] {
            if let name, !name.isEmpty, let program = path(of: name) { return (program, ["-e"]) }
        }
        return nil
    }

    /// The path of a program: beside this one, in `bin` if this one is in `libexec/docent`, or on PATH.
    func path(of name: String) -> String? {
        guard !name.hasPrefix("/") else { return access(name, X_OK) == 0 ? name : nil }
        guard !name.contains("/") else { return nil }
        var places: [String] = []
        if name == "docent", let own = Self.own {
            let folder = own.split(separator: "/").dropLast()
            places.append("/" + folder.joined(separator: "/"))
            if folder.suffix(2).elementsEqual(["libexec", "docent"]) {
                places.append("/" + (folder.dropLast(2) + ["bin"]).joined(separator: "/"))
            }
        }
        places += (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map(String.init)
        return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static var own: String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}
