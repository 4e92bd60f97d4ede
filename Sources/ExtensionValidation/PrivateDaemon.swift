import CLinux
import DocentInterfaces
package import ExtensionManifest
import FileProviderValidation
import FoundationEssentials
import Glibc
import ProcessLaunching
import Synchronization

/// A daemon for one run: its data, home and socket are in the directory of the run, and it only has to find this one
/// provider. Thread-safe.
package final class PrivateDaemon: Sendable {
    /// The programs of the daemon.
    package struct Programs: Sendable, Hashable {
        /// Path of `docentd`.
        package var daemon: String
        /// Path of `docent-extension-host`.
        package var extensionHost: String

        /// Creates it from two paths.
        package init(daemon: String, extensionHost: String) {
            self.daemon = daemon
            self.extensionHost = extensionHost
        }
    }

    /// Its process.
    package let process: Int32
    /// The socket that clients connect to.
    package let socket: String
    private let log: String
    private let ending = Mutex<String?>(nil)

    /// Starts the daemon and waits until clients can connect, for at most 30 seconds.
    ///
    /// - Throws: `Failure` that contains what the daemon logged.
    package init(
        _ programs: Programs, for description: ProviderDescription, variables: [String: String], in places: RunPlaces
    ) async throws {
        log = places.log
        socket = places.runtime + "/docent.sock"
        var ready: [CInt] = [-1, -1]
        let file = open(log, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard file >= 0, clinux_pipe(&ready) == 0 else {
            throw Failure(.unavailable, "No log file for the daemon can be created in \(places.directory).")
        }
        defer {
            close(file)
            close(ready[0])
        }
        do {
            defer { close(ready[1]) }
            var launch = ProgramLaunch(
                programs.daemon, ["--ready-descriptor", "3"],
                environment: .exactly(Self.environment(programs, description, variables, places)),
                descriptors: [.null, .null, .copy(file), .copy(ready[1])])
            launch.startsSession = true
            process = try launch.start()
        } catch {
            throw Failure(
                .unavailable, "\(programs.daemon) cannot be started: \(error.reason).",
                suggestion: "Install Docent again, or name the daemon in DOCENT_DAEMON.")
        }
        guard await Self.isReady(ready[0]) else {
            let said = logTail
            _ = await stop(kill: true)
            throw Failure(.unavailable, "The daemon did not start\(said.isEmpty ? "." : ": " + said)")
        }
    }

    deinit {
        // If it is dropped without being stopped, it is no longer needed.
        if end == nil { Glibc.kill(process, SIGKILL) }
        _ = end
    }

    /// How it ended; nil while it runs.
    package var end: String? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: CInt = 0
            guard waitpid(process, &status, WNOHANG) == process else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? "ended with the code \((status >> 8) & 0xFF)" : SignalText.killed(by: signal)
            return ending
        }
    }

    /// Ends it and waits for that: either at once with SIGKILL, or properly, with SIGKILL after ten seconds.
    ///
    /// - Returns: how it ended; nil if it had to be killed.
    package func stop(kill: Bool) async -> String? {
        Glibc.kill(process, kill ? SIGKILL : SIGTERM)
        let deadline = ContinuousClock.now + .seconds(10)
        while end == nil, ContinuousClock.now < deadline { await Pause.uncancelled(.milliseconds(5)) }
        if let end { return end }
        Glibc.kill(process, SIGKILL)
        while end == nil { await Pause.uncancelled(.milliseconds(5)) }
        return nil
    }

    /// The end of its log, on one line.
    package var logTail: String {
        guard let data = try? Data(contentsOf: URL(filePath: log)) else { return "" }
        return String(decoding: data.suffix(2000), as: UTF8.self).split(separator: "\n").suffix(3)
            .joined(separator: " | ")
    }

    private static func environment(
        _ programs: Programs, _ description: ProviderDescription, _ variables: [String: String], _ places: RunPlaces
    ) -> [String: String] {
        // Language, time zone and proxies are kept; the user's own directories, keyring and session are not.
        var result = variables.filter { key, _ in
            ["LANG", "LANGUAGE", "TZ", "XDG_DATA_DIRS", "DOCENT_SWIFT_RUNTIME", "DOCENT_PROVIDER_DEADLINE_SECONDS"]
                .contains(key)
                || key.hasPrefix("LC_") || key.lowercased().hasSuffix("_proxy")
        }
        let parents = { (paths: [String]) in
            Set(paths.map { $0.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } }).sorted()
        }
        let libraries = parents(description.extensions.map(\.libraryPath))
        let given = variables["DOCENT_LIBRARY_PATH"].map { [$0] } ?? []
        result["DOCENT_MANIFEST_PATH"] = parents(description.extensions.map(\.path)).joined(separator: ":")
        result["DOCENT_LIBRARY_PATH"] = (given + libraries).joined(separator: ":")
        result["DOCENT_EXTENSION_HOST"] = programs.extensionHost
        // It ends soon after the validator.
        result["DOCENT_IDLE_SECONDS"] = "2"
        result["DOCENT_FRESH_SECONDS"] = "0"
        // The validator deletes and replaces many documents.
        result["DOCENT_CHANGE_LIMIT"] = "off"
        // It looks at what its provider does when something is deleted.
        result["DOCENT_DELETION_GRACE_SECONDS"] = "0"
        result["DOCENT_POLL_SECONDS"] = "1"
        result["DOCENT_LOG_LEVEL"] = "info"
        result["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        result["HOME"] = places.home
        result["XDG_DATA_HOME"] = places.home + "/.local/share"
        result["XDG_CONFIG_HOME"] = places.home + "/.config"
        result["XDG_STATE_HOME"] = places.home + "/.local/state"
        result["XDG_CACHE_HOME"] = places.home + "/.cache"
        result["XDG_RUNTIME_DIR"] = places.runtimeParent
        return result
    }

    /// Whether the byte that reports readiness arrived, and not the end of the daemon.
    private static func isReady(_ descriptor: CInt) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if Glibc.poll(&poll, 1, 0) == 1 {
                var byte: UInt8 = 0
                return read(descriptor, &byte, 1) == 1
            }
            // A cancelled start ends like a failed one.
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
        }
        return false
    }
}
