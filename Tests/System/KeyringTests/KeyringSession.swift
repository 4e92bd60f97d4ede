import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import Keyring

/// A session bus with a real gnome-keyring, separate from the user's. Tests that use it run serially: a process has one
/// session bus.
final class KeyringSession {
    enum Unlocking {
        case unlocked
        /// An existing collection whose password a new service has not been given yet.
        case locked
        /// KeePassXC instead, with an open database.
        case keePass
        case never
        case noService
    }

    static let isInstalled = ["dbus-daemon", "gnome-keyring-daemon"].allSatisfy { executable($0) != nil }
    static let hasKeePass = isInstalled && executable("keepassxc") != nil && executable("keepassxc-cli") != nil
    static let canSend = isInstalled && executable("dbus-send") != nil
    static let hasTool = isInstalled && executable("secret-tool") != nil
    /// Whether Debian's Python and its module for the Secret Service are installed.
    static let hasPython =
        isInstalled && executable("python3") != nil
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/secretstorage")

    /// The password of the collection.
    static let password = "hush-session5d20c7aa"

    static let directory: URL = {
        // Short, because the path of a socket is limited.
        let url = URL(filePath: "/tmp/docent-keyring-\(getpid())")
        setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(url.path)/bus", 1)
        return url
    }()

    private var processes: [ChildProcess] = []
    private var keyring: ChildProcess?
    let environment: [String: String]

    init(_ unlocking: Unlocking) async throws {
        Admission.expect(.keyring)
        let root = Self.directory
        try? FileManager.default.removeItem(at: root)
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(root.path)/bus"
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
            let folder = root.appending(path: name)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            environment[name] = folder.path
        }
        // KeePassXC has windows, which must not be shown.
        environment["QT_QPA_PLATFORM"] = "offscreen"
        // It looks for another instance of itself there.
        environment["TMPDIR"] = root.path
        self.environment = environment
        // Without service folders the bus starts nothing that this test did not start.
        try Data(
            """
            <busconfig><type>session</type><listen>unix:path=\(root.path)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
            <allow own="*"/></policy></busconfig>
            """.utf8
        ).write(to: root.appending(path: "bus.conf"))
        try start("dbus-daemon", ["--config-file=\(root.path)/bus.conf", "--nofork"])
        try await wait { FileManager.default.fileExists(atPath: "\(root.path)/bus") }
        switch unlocking {
        case .unlocked:
            try await startUnlocked()
        case .locked:
            try await startUnlocked()
            endLast()
            try await startLocked()
        case .keePass:
            try prepareKeePass()
            try await startKeePass()
        case .never:
            try start("gnome-keyring-daemon", ["--components=secrets", "--foreground"])
            try await wait {
                if case .noService = await Keyring(deadline: .seconds(5)).probe() { false } else { true }
            }
        case .noService:
            break
        }
    }

    deinit { end() }

    /// Starts the keyring with an open collection.
    func startUnlocked() async throws {
        try start(
            "gnome-keyring-daemon", ["--unlock", "--components=secrets", "--foreground"], input: Self.password)
        try await wait { await Keyring(deadline: .seconds(5)).probe() == .available }
    }

    /// Starts the keyring with a collection from an earlier one.
    func startLocked() async throws {
        try start("gnome-keyring-daemon", ["--components=secrets", "--foreground"])
        try await wait { await Keyring(deadline: .seconds(5)).probe() == .locked }
    }

    /// Unlocks the collection as PAM does at a login: operation 1 on the keyring's control socket.
    func unlock() throws {
        let script = """
            import os, socket, struct, sys
            control = socket.socket(socket.AF_UNIX)
            control.settimeout(30)
            control.connect(os.environ["XDG_RUNTIME_DIR"] + "/keyring/control")
            control.sendmsg([b"\\0"])
            password = sys.stdin.buffer.read()
            control.sendall(struct.pack(">III", 12 + len(password), 1, len(password)) + password)
            length, result = struct.unpack(">II", control.recv(8))
            sys.exit(result)
            """
        let ended = try output("python3", ["-c", script], input: Array(Self.password.utf8))
        try #require(ended.status == 0, "it was not unlocked")
    }

    /// Locks the collection, as a desktop's screen lock may.
    func lock() throws {
        let status = try run(
            "dbus-send",
            [
                "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
                "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login",
            ])
        try #require(status == 0, "it was not locked")
    }

    /// The content of a file of the session's own directory.
    func content(of name: String) throws -> Data { try Data(contentsOf: Self.directory.appending(path: name)) }

    /// Ends the program that was started last.
    func endLast() {
        guard let process = processes.popLast() else { return }
        process.send(SIGKILL)
        process.waitUntilExit()
    }

    func end() {
        for process in processes.reversed() where process.isRunning {
            process.send(SIGKILL)
            process.waitUntilExit()
        }
        processes = []
        try? FileManager.default.removeItem(at: Self.directory)
    }

    /// Whether the keyring's process has ended by itself.
    var hasKeyringEnded: Bool { keyring?.isRunning == false }

    /// Sends a signal to the keyring's process.
    ///
    /// Returns when a stopped process has stopped: on a busy machine a thread may continue for a while after `kill`
    /// returned.
    func signal(_ number: Int32) {
        guard let process = keyring?.processIdentifier else { return }
        kill(process, number)
        guard number == SIGSTOP else { return }
        for _ in 0..<30_000 {
            if Self.hasStopped(process) { return }
            usleep(1000)
        }
    }

    private static func hasStopped(_ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return !tasks.isEmpty
            && tasks.allSatisfy { task in
                let line = (try? String(contentsOfFile: "\(folder)/\(task)/stat", encoding: .utf8)) ?? ""
                return line.split(separator: ")").last?.split(separator: " ").first == "T"
            }
    }

    /// Runs a program of the session to its end.
    func run(_ name: String, _ arguments: [String]) throws -> Int32 {
        let process = try start(name, arguments)
        process.waitUntilExit()
        processes.removeLast()
        return process.terminationStatus
    }

    /// Runs a program of the session to its end, and returns its output.
    func output(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> (status: Int32, output: [UInt8]) {
        let program = try #require(Self.executable(name))
        let outcome = try Outcome.runBlocking(program.path, arguments, input: Data(input), environment: environment)
        return (outcome.status, Array(outcome.output))
    }

    /// Starts a program that runs until the session ends.
    @discardableResult
    func start(_ name: String, _ arguments: [String], input: String = "") throws -> ChildProcess {
        let program = try #require(Self.executable(name))
        // A file, since the other end of a pipe could stay open in a program that another thread starts.
        let given = Self.directory.path + "/given"
        try Data(input.utf8).write(to: URL(filePath: given))
        let process = try ChildProcess(program.path, arguments, environment: environment, input: .file(given))
        try FileManager.default.removeItem(atPath: given)
        processes.append(process)
        if ["gnome-keyring-daemon", "keepassxc"].contains(name) { keyring = process }
        return process
    }

    func wait(until condition: () async -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while !(await condition()) {
            try #require(ContinuousClock.now < end, "the keyring did not start")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    static func executable(_ name: String) -> URL? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { URL(filePath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
