import Glibc
import ProcessLaunching
import ViewMounting

/// Keeps a mount for the process that serves it: when that has ended, however it ended, the folder is unmounted, and
/// programs that wait for it get their calls back. The server watches its keeper in turn, so that either may be killed.
struct ViewKeeper {
    /// The absolute path of the folder.
    let path: String
    /// /dev/fuse.
    let device: CInt
    /// One end of a socket whose other end the server has until it ends.
    let line: CInt

    /// Waits for the end of the server, and unmounts.
    func keep() {
        // The server ends first, and this process with it.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        var byte: UInt8 = 0
        while true {
            let count = read(line, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
        }
        // Fails if it has been unmounted, which is why most servers end.
        try? ViewMount.unmount(path, isLazy: true)
        close(device)
        // Reaps the server, if it is a child.
        var status: CInt = 0
        while waitpid(-1, &status, WNOHANG) > 0 {}
    }

    /// Starts a keeper for a mount that this process serves.
    ///
    /// - Returns: the server's end of the line to it.
    static func start(_ path: String, device: CInt) throws -> CInt {
        let (own, other) = try pair()
        defer { close(other) }
        _ = try launch(["--keep", path], [.copy(device), .copy(other)]).start()
        return own
    }

    /// Starts a server for a mount that this process keeps.
    ///
    /// - Parameter ready: where the server reports that it is ready.
    /// - Returns: the keeper's end of the line to it.
    static func startServer(_ path: String, device: CInt, ready: CInt?) throws -> CInt {
        let (own, other) = try pair()
        defer { close(other) }
        let readiness: [ProgramLaunch.Source] = ready.map { [.copy($0)] } ?? []
        _ = try launch(
            ["--serve", path] + (ready == nil ? [] : ["--ready-descriptor", "5"]),
            [.copy(device), .copy(other)] + readiness
        ).start()
        return own
    }

    private static func launch(_ arguments: [String], _ descriptors: [ProgramLaunch.Source]) -> ProgramLaunch {
        // The path shows in lists of processes.
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "/proc/self/exe"
        var launch = ProgramLaunch(
            own, arguments, environment: .own, descriptors: [.null, .null, .own] + descriptors)
        launch.startsSession = true
        return launch
    }

    private static func pair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ViewMount.Failure(
                message: "Cannot create a socket: \(String(cString: strerror(errno))).", suggestion: nil)
        }
        return (ends[0], ends[1])
    }
}
