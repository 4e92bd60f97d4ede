import CommandConsole
import Glibc

/// The user's browser.
package enum Browser {
    /// Whether a browser can be shown here: the environment names one, or there is a display.
    package static func isLikely(_ environment: [String: String]) -> Bool {
        ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// Whether an address may be opened in a browser. A provider supplies it, so it could be anything. Pure.
    static func mayOpen(_ url: String) -> Bool {
        let start = url.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(start) && FormAnswers.isAddress(url)
            && url.utf8.allSatisfy { (0x21...0x7E).contains($0) } && url.utf8.count <= 16 << 10
    }

    /// The commands to try: those of BROWSER (separated by colons, `%s` is the address), otherwise xdg-open. Pure.
    static func commands(_ url: String, _ environment: [String: String]) -> [[String]] {
        let named = environment["BROWSER"] ?? ""
        guard !named.isEmpty else { return [["xdg-open", url]] }
        return named.split(separator: ":").map { command in
            let words = command.split(separator: " ").map(String.init)
            return words.contains { $0.contains("%s") }
                ? words.map { $0.replacing("%s", with: url) } : words + [url]
        }.filter { !$0.isEmpty }
    }

    /// Opens an address; returns at once.
    ///
    /// - Returns: whether a program was started for it. Whether it shows anything is unknown.
    package static func open(_ url: String, _ environment: [String: String]) -> Bool {
        guard mayOpen(url), isLikely(environment) else { return false }
        return commands(url, environment).contains(where: start)
    }

    private static func start(_ words: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A separate session: the browser outlives the terminal. (POSIX_SPAWN_SETSID)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ) == 0 else {
            return false
        }
        // Nothing else collects the process.
        let started = process
        Thread.start { while waitpid(started, nil, 0) < 0, errno == EINTR {} }
        return true
    }
}
