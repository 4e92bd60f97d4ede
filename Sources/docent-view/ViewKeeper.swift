import CFUSE
import CLinux
import Glibc
import MountedView
import ProcessLaunching
import ViewMounting

/// Keeps a mount for the process that serves it, and what that process leaves here. When it has ended, another one goes
/// on with the same mount: files stay open. If the kernel does not send requests again, or servers end one after
/// another, the folder is unmounted, and programs that wait get their calls back.
///
/// The server watches its keeper in turn, so that either may be killed.
struct ViewKeeper {
    private struct Key: Hashable {
        var kind: KeptState.Entry.Kind
        var key: UInt64
    }

    /// What is mounted.
    let mode: ViewMode
    /// The absolute path of the folder.
    let path: String
    /// /dev/fuse.
    let device: CInt
    /// One end of a socket whose other end the server has until it ends.
    var line: CInt
    /// The number of the mount's device; nil if it was not in the folder any more.
    private let number: String?
    /// A descriptor of a thread of the server's, which can be read when that has ended; -1 while there is none.
    private var server: CInt = -1
    /// Whether that thread had ended before it could be watched.
    private var isServerGone = false
    private var kept: [Key: (entry: KeptState.Entry, descriptor: CInt)] = [:]
    private var ends: [time_t] = []

    init(mode: ViewMode, path: String, device: CInt, line: CInt) {
        self.mode = mode
        self.path = path
        self.device = device
        self.line = line
        number = Self.number(at: path)
    }

    /// Serves until the mount has ended.
    mutating func keep() {
        // The server ends first, and this process with it.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        mode.whenRunEnds { [path] in Self.leave(path) }
        repeat {
            while isServerThere, receive() {}
            close(line)
            watch(nil)
            // Reaps the server, if it is a child.
            var status: CInt = 0
            while waitpid(-1, &status, WNOHANG) > 0 {}
        } while isServed && isWorthwhile && startNext()
        // It has been unmounted already, in most cases: that is why servers end. If not, a dead mount must not be left.
        if mode.isOfRun {
            Self.leave(path)
        } else {
            Self.leave(path) { isInFolder }
        }
        close(device)
    }

    /// Unmounts a folder if it is mounted.
    static func leave(_ path: String) { leave(path) { number(at: path) != nil } }

    private static func leave(_ path: String, while isMounted: () -> Bool) {
        for _ in 0..<50 where isMounted() {
            try? ViewMount.unmount(path, isLazy: true)
            if isMounted() { usleep(100_000) }
        }
    }

    /// Sends what is kept, which is nothing at first.
    func sendAll() -> Bool {
        for (entry, descriptor) in kept.values {
            guard send(KeptState.message(.keep, entry), descriptor) else { return false }
        }
        return send(KeptState.message(.end, .init(kind: .journal, key: 0)), -1)
    }

    private func send(_ message: [UInt8], _ descriptor: CInt) -> Bool {
        message.withUnsafeBytes { buffer in
            buffer.baseAddress.map { cfuse_send(line, $0, buffer.count, descriptor) == 0 } ?? false
        }
    }

    /// Waits for a message of the server, or for its end.
    ///
    /// Its end of the line may stay open after it was killed: the kernel lets a thread that announces a change of a
    /// folder wait for the programs that change that folder, and these wait for the next server.
    private var isServerThere: Bool {
        while true {
            var both = [
                pollfd(fd: line, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&both, 2, isServerGone ? 0 : -1)
            if count < 0, errno == EINTR { continue }
            // What it has left is received first.
            return both[0].revents != 0
        }
    }

    // Linux 6.9 and newer, as for the requests that are sent again. Before that, the end of the line must do.
    private mutating func watch(_ thread: pid_t?) {
        if server >= 0 { close(server) }
        let opened = thread.map { clinux_pidfd_open($0, UInt32(O_EXCL)) } ?? -1
        server = max(opened, -1)
        isServerGone = opened == -ESRCH
    }

    private mutating func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: KeptState.messageSize)
        var descriptor: CInt = -1
        guard cfuse_receive(line, &bytes, bytes.count, &descriptor) == bytes.count,
            let (action, entry) = KeptState.read(bytes)
        else { return false }
        guard entry.kind != .reader else {
            watch(pid_t(truncatingIfNeeded: entry.key))
            return true
        }
        let key = Key(kind: entry.kind, key: entry.key)
        let before =
            action == .keep ? kept.updateValue((entry, descriptor), forKey: key) : kept.removeValue(forKey: key)
        if let before, before.descriptor >= 0 { close(before.descriptor) }
        return true
    }

    /// The number of what is mounted on a folder; nil if nothing of Docent's is.
    private static func number(at path: String) -> String? {
        // The last one hides the others.
        ViewMountTable.current().last { $0.path == path && [ViewMount.type, ViewMount.runType].contains($0.type) }?
            .device
    }

    /// Whether the kernel still sends requests of this mount.
    private var isConnected: Bool {
        var state = pollfd(fd: device, events: 0, revents: 0)
        return poll(&state, 1, 0) == 0
    }

    /// Whether this mount is in the folder, dead or alive, and not one that was made there after it had ended.
    private var isInFolder: Bool {
        guard number != nil, Self.number(at: path) == number else { return false }
        if isConnected { return true }
        // The number may be that of a new one by now, which answers.
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOTCONN
    }

    /// Whether programs may use the mount. That of a run is only in its sandbox: the kernel knows how long.
    private var isServed: Bool { isConnected && (mode.isOfRun || isInFolder) }

    /// Whether another server can go on, and has a chance to: of the last minute's, at most five have ended.
    private var isWorthwhile: Bool {
        mutating get {
            let now = time(nil)
            ends = ends.filter { now - $0 < 60 } + [now]
            return ends.count <= 5 && kept[Key(kind: .repeatsRequests, key: 0)] != nil
        }
    }

    private mutating func startNext() -> Bool {
        guard let next = try? Self.startServer(mode, path, device: device, ready: nil) else { return false }
        line = next
        return sendAll()
    }

    // MARK: Processes

    /// Starts a keeper for a mount that this process serves.
    ///
    /// - Returns: the server's end of the line to it.
    static func start(_ mode: ViewMode, _ path: String, device: CInt) throws -> CInt {
        let (own, other) = try pair()
        defer { close(other) }
        _ = try launch(mode, ["--keep", path], [.copy(device), .copy(other)]).start()
        return own
    }

    /// Starts a server for a mount that this process keeps.
    ///
    /// - Parameter ready: where the server reports that it is ready.
    /// - Returns: the keeper's end of the line to it.
    static func startServer(_ mode: ViewMode, _ path: String, device: CInt, ready: CInt?) throws -> CInt {
        let (own, other) = try pair()
        defer { close(other) }
        _ = try launch(mode, ["--serve", path], [.copy(device), .copy(other)], ready: ready).start()
        return own
    }

    private static func launch(
        _ mode: ViewMode, _ arguments: [String], _ descriptors: [ProgramLaunch.Source], ready: CInt? = nil
    ) -> ProgramLaunch {
        var (arguments, descriptors) = (arguments, [.null, .null, .own] + descriptors)
        func add(_ descriptor: CInt?, _ option: String) {
            guard let descriptor else { return }
            arguments += [option, String(descriptors.count)]
            descriptors.append(.copy(descriptor))
        }
        add(ready, "--ready-descriptor")
        if case .run(let lifeline, let state) = mode {
            arguments += ["--run-state", state]
            add(lifeline, "--run-descriptor")
        }
        // The path shows in lists of processes.
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "/proc/self/exe"
        var launch = ProgramLaunch(
            own, arguments, environment: .own, descriptors: descriptors)
        launch.startsSession = true
        return launch
    }

    private static func pair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ViewMount.Failure(
                message: "Cannot create a socket: \(String(cString: strerror(errno))).", suggestion: nil)
        }
        // Few descriptors may be on their way: the kernel counts them for all processes of a user together.
        var size: CInt = 2048
        for end in ends { setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size)) }
        return (ends[0], ends[1])
    }
}
