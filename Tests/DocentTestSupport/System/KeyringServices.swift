import Foundation
import Glibc
import Synchronization

/// A separate session bus with a real gnome-keyring, for one test. It has its own directory, independent of the user's
/// session; any number may exist at the same time.
///
/// Only what the test starts runs on the bus: there are no service files, so no one can be asked for a password either.
package final class KeyringServices: Sendable {
    /// The initial state of the session.
    package enum Kind: Sendable {
        /// The keyring's collection `login` is unlocked.
        case unlocked
        /// The collection is locked; ``unlock(password:)`` unlocks it.
        case locked
        /// There is a bus without the service.
        case noService
        /// There is neither bus nor service.
        case noBus
    }

    /// The password of the keyring.
    package static let password = "hush-keyring-4b81d09e"

    package let directory: String
    private let bus = Mutex<ChildProcess?>(nil)
    private let service = Mutex<ChildProcess?>(nil)

    /// The address of the bus, for the environment of an installation. Empty for ``Kind/noBus``.
    package let environment: [String: String]

    /// The environment of the session's own programs.
    package var sessionEnvironment: [String: String] {
        var own = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
        for (variable, folder) in Self.folders { own[variable] = "\(directory)/\(folder)" }
        return own.merging(environment) { _, new in new }
    }

    private static let folders = [
        "HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache",
        "XDG_RUNTIME_DIR": "run",
    ]

    private init(_ kind: Kind) throws {
        // Short, because the path of a socket must be.
        directory = "/tmp/docent-keys-\(UUID().uuidString.prefix(8))"
        environment = kind == .noBus ? [:] : ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/bus"]
        for folder in Self.folders.values {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// Runs `body` with a session, which is ended and removed afterwards in every case.
    package static func with<Result>(
        _ kind: Kind = .unlocked, _ body: (KeyringServices) async throws -> Result
    ) async throws -> Result {
        Admission.expect(.keyring)
        let services = try KeyringServices(kind)
        defer { services.end() }
        try await services.begin(kind)
        return try await body(services)
    }

    private func begin(_ kind: Kind) async throws {
        if kind == .noBus { return }
        try await startBus()
        if kind == .noService { return }
        try await startService()
        guard kind == .locked else { return }
        // The collection exists, but the new service does not have its password.
        await stopService()
        try await startService(password: nil)
    }

    private func end() {
        for process in [service.withLock(\.self), bus.withLock(\.self)] { process?.send(SIGKILL) }
        for process in [service.withLock(\.self), bus.withLock(\.self)] { process?.waitUntilExit() }
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: The processes

    /// Starts the bus at the same address as before.
    package func startBus() async throws {
        unlink("\(directory)/bus")
        // Without service folders, only what this test starts is running.
        try Data(
            """
            <busconfig><type>session</type><listen>unix:path=\(directory)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
            </busconfig>
            """.utf8
        ).write(to: URL(fileURLWithPath: "\(directory)/bus.conf"))
        let process = try start("/usr/bin/dbus-daemon", ["--config-file=\(directory)/bus.conf", "--nofork"])
        bus.withLock { $0 = process }
        try await wait("the bus") { await self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetId") != nil }
    }

    /// Kills the bus, and the service with it.
    package func killBus() async {
        await Self.end(bus, by: SIGKILL)
        await Self.end(service, by: SIGKILL)
    }

    /// Starts the service. With a password, its collection is unlocked, and created if necessary.
    package func startService(password: String? = KeyringServices.password) async throws {
        let arguments = (password == nil ? [] : ["--unlock"]) + ["--components=secrets", "--foreground"]
        let process = try start("/usr/bin/gnome-keyring-daemon", arguments, input: password ?? "")
        service.withLock { $0 = process }
        try await wait("the keyring") { await self.isLocked == (password == nil) }
    }

    /// Stops the service cleanly.
    package func stopService() async { await Self.end(service, by: SIGTERM) }

    /// Kills the service.
    package func killService() async { await Self.end(service, by: SIGKILL) }

    /// Sends a signal to the service, such as SIGSTOP; does nothing if there is none.
    package func signalService(_ signal: Int32) { service.withLock(\.self)?.send(signal) }

    /// Whether the collection is locked; nil if there is none, or no answer.
    package var isLocked: Bool? {
        get async {
            let answer = await call(
                "org.freedesktop.secrets", Self.collection, "org.freedesktop.DBus.Properties.Get",
                ["org.freedesktop.Secret.Collection", "Locked"])
            return answer.map { $0.contains("true") }
        }
    }

    /// Locks the collection of the running service.
    package func lock() async throws {
        _ = await call(
            "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
            ["['\(Self.collection)']"])
        try await wait("the locked collection") { await self.isLocked == true }
    }

    /// Unlocks the collection of the running service, in the same way as a login to the desktop.
    package func unlock(password: String = KeyringServices.password) async throws {
        try await run("/usr/bin/python3", ["-c", Self.unlocking, password]).succeeded()
        try await wait("the open collection") { await self.isLocked == false }
    }

    // MARK: Other programs of the session

    /// Runs `secret-tool`, with the secret to store as its input.
    package func secretTool(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await run("/usr/bin/secret-tool", arguments, input: input)
    }

    /// Runs a program in the session, for at most a minute.
    package func run(_ program: String, _ arguments: [String], input: String = "") async throws -> Outcome {
        try await Outcome.run(
            "/usr/bin/timeout", ["-k", "5", "60", program] + arguments, input: Data(input.utf8),
            environment: sessionEnvironment, folder: directory)
    }

    /// Docent's secret for a domain, as another program of the user reads it; nil when there is none.
    package func secret(provider: String = "org.docent.WebDAV", domain: String = "work") async throws -> String? {
        let outcome = try await secretTool("lookup", "provider", provider, "domain", domain)
        return outcome.status == 0 ? outcome.text : nil
    }

    // MARK: Implementation

    private static let collection = "/org/freedesktop/secrets/collection/login"

    /// The message of PAM to gnome-keyring at a login: operation 1, unlock, with the password.
    private static let unlocking = """
        import os, socket, struct, sys
        control = socket.socket(socket.AF_UNIX)
        control.settimeout(30)
        control.connect(os.environ["XDG_RUNTIME_DIR"] + "/keyring/control")
        control.sendmsg([b"\\0"])
        password = sys.argv[1].encode()
        control.sendall(struct.pack(">III", 12 + len(password), 1, len(password)) + password)
        length, result = struct.unpack(">II", control.recv(8))
        sys.exit(result)
        """

    /// Calls a method on the bus; nil when it failed.
    private func call(_ name: String, _ path: String, _ method: String, _ arguments: [String] = []) async -> String? {
        let words = ["call", "--session", "--timeout", "10", "--dest", name, "--object-path", path, "--method", method]
        let outcome = try? await run("/usr/bin/gdbus", words + arguments)
        return outcome?.status == 0 ? outcome?.text : nil
    }

    private func start(_ program: String, _ arguments: [String], input: String = "") throws -> ChildProcess {
        let path = "\(directory)/input"
        try Data(input.utf8).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Problem("\(path) cannot be read") }
        unlink(path)
        defer { close(file) }
        let process = try ChildProcess(
            program, arguments, environment: sessionEnvironment, folder: directory, input: .descriptor(file))
        // Ends with the tests, if they are killed.
        _ = try ChildProcess(
            "/usr/bin/python3", [TestServers.folder + "/watch.py", "\(getpid())", "\(process.processIdentifier)"],
            environment: sessionEnvironment)
        return process
    }

    private static func end(_ process: borrowing Mutex<ChildProcess?>, by signal: Int32) async {
        guard let running = process.withLock({ process in process.take() }) else { return }
        running.send(signal)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                running.waitUntilExit()
                continuation.resume()
            }
        }
    }

    private func wait(_ what: String, until condition: () async -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !(await condition()) {
            guard ContinuousClock.now < deadline else { throw Problem("never came: \(what) in \(directory)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
