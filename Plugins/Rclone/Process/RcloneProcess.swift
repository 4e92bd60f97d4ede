import CSocketActivation
import Dispatch
import FileProvider
import Glibc
import Synchronization

/// One run of `rclone rcd`, from start to end. Thread-safe.
///
/// The thread that starts rclone waits for it to end. Rclone is killed when that thread ends, and so when this process
/// ends in any way.
final class RcloneProcess: Sendable {
    /// The limit on the data of one run, in bytes. The soft limit that rclone gets is far lower.
    static let memoryLimit: UInt = 1 << 30
    private static let softMemoryLimit = "256MiB"

    let identifier: pid_t
    private let ended = Atomic(false)
    // The exit code; -1 while rclone runs and when it was killed.
    private let exitCode = Atomic(-1)
    private static let threads = DispatchQueue(label: "org.docent.Rclone.process", attributes: .concurrent)

    private init(_ identifier: pid_t) { self.identifier = identifier }

    /// Whether the process has ended and was reaped.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// The error that describes its end. An rclone that exits by itself cannot use the socket.
    var end: FileProviderError {
        let code = exitCode.load(ordering: .acquiring)
        guard code >= 0 else {
            return FileProviderError(.serverUnreachable, "rclone exited during a request. It will be restarted.")
        }
        return FileProviderError(
            .serverUnreachable,
            "rclone exited with code \(code). It must be newer than 1.66: older versions cannot be given a socket.")
    }

    /// Starts rclone on a listening socket.
    ///
    /// - Parameters:
    ///   - program: The absolute path of rclone.
    ///   - listener: The socket on which it accepts calls.
    ///   - username: The name that callers have to give.
    ///   - password: The password that callers have to give. Both are passed in the environment, which no other user
    ///     can read.
    /// - Throws: `FileProviderError` when the program cannot be started.
    static func start(
        _ program: String, listener: CInt, username: String, password: String
    ) async throws -> RcloneProcess {
        let environment = environment(username: username, password: password)
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<RcloneProcess, any Error>) in
            threads.async { run(program, listener, environment, continuation) }
        }
    }

    func kill() {
        // After this check the process may be reaped and its number reused. In the sandbox there are only our own
        // processes.
        if !hasEnded { _ = Glibc.kill(identifier, SIGKILL) }
    }

    private static func run(
        _ program: String, _ listener: CInt, _ environment: [String],
        _ continuation: CheckedContinuation<RcloneProcess, any Error>
    ) {
        var identifier: pid_t = 0
        let result = withStrings([program, "rcd"]) { arguments in
            withStrings(environment) { environment in
                csocket_activation_start(program, arguments, environment, listener, memoryLimit, &identifier)
            }
        }
        guard result == 0 else {
            let reason = String(cString: strerror(result))
            continuation.resume(
                throwing: FileProviderError(
                    .failed,
                    "rclone (\(program)) cannot be started: \(reason). Install it, or name another with the setting "
                        + "\"program\"."))
            return
        }
        let process = RcloneProcess(identifier)
        continuation.resume(returning: process)
        var status: CInt = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        // WIFEXITED and WEXITSTATUS, which Swift cannot call.
        if status & 0x7F == 0 { process.exitCode.store(Int(status >> 8) & 0xFF, ordering: .releasing) }
        process.ended.store(true, ordering: .releasing)
    }

    private static func environment(username: String, password: String) -> [String] {
        var entries = [
            // Kept in memory only. The provider hands what has to last to the host.
            "RCLONE_CONFIG=", "RCLONE_RC_USER=" + username, "RCLONE_RC_PASS=" + password, "RCLONE_RC_SERVE=true",
            "RCLONE_RC_SERVER_READ_TIMEOUT=1h", "RCLONE_RC_SERVER_WRITE_TIMEOUT=1h",
            // Versions contain dates and must not change with the time zone.
            "TZ=UTC", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=/tmp", "RCLONE_CACHE_DIR=/tmp/rclone",
            "RCLONE_LOG_LEVEL=ERROR", "RCLONE_CHECK_UPDATES=false",
            // By default rclone waits ten milliseconds before each request, and one call needs a dozen. A server that
            // wants fewer requests answers 429.
            "RCLONE_WEBDAV_PACER_MIN_SLEEP=1ms",
            // Rclone remembers each finished job for this long. No job is asked about later.
            "RCLONE_RC_JOB_EXPIRE_DURATION=20s", "RCLONE_RC_JOB_EXPIRE_INTERVAL=2s",
            // The host retries by itself, with growing pauses.
            "RCLONE_LOW_LEVEL_RETRIES=2", "RCLONE_RETRIES=1", "RCLONE_CONTIMEOUT=15s", "RCLONE_TIMEOUT=60s",
            "GOMEMLIMIT=" + softMemoryLimit, "RCLONE_BUFFER_SIZE=1Mi", "RCLONE_TRANSFERS=4", "RCLONE_CHECKERS=8",
            // The first saves one request for each listed document. The markers keep empty folders.
            "RCLONE_USE_SERVER_MODTIME=true", "RCLONE_S3_DIRECTORY_MARKERS=true", "RCLONE_GCS_DIRECTORY_MARKERS=true",
            "RCLONE_AZUREBLOB_DIRECTORY_MARKERS=true",
        ]
        let proxies = ["ALL_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy"]
        for name in proxies {
            if let value = getenv(name) { entries.append("\(name)=\(String(cString: value))") }
        }
        return entries
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // Never empty: the array contains the closing nil.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
