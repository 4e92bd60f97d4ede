import CommandConsole
import Glibc
import ProcessLaunching

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
        var launch = ProgramLaunch(
            words[0], Array(words.dropFirst()), environment: .own, descriptors: [.null, .null, .null])
        launch.searchesPath = true
        // The browser outlives the terminal.
        launch.startsSession = true
        guard let started = try? launch.start() else { return false }
        // Nothing else collects the process.
        Thread.start { while waitpid(started, nil, 0) < 0, errno == EINTR {} }
        return true
    }
}
