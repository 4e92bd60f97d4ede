import CSocketActivation
import Dispatch
import FileProvider
import Glibc
import Synchronization

/// One run of `rclone rcd`, from its start to its death. Thread-safe.
///
/// The thread that starts it waits for its end: rclone is killed with that thread, and so with this process, however this one ends.
final class RcloneProcess: Sendable {
    /// What of data one run may hold, in bytes; it is told to stay well below.
    static let memoryLimit: UInt = 1 << 30
    private static let softMemoryLimit = "256MiB"

    let identifier: pid_t
    private let ended = Atomic(false)
    // What it exited with; -1 while it runs, and when it was killed.
    private let exitCode = Atomic(-1)
    private static let threads = DispatchQueue(label: "org.docent.Rclone.process", attributes: .concurrent)

    private init(_ identifier: pid_t) { self.identifier = identifier }

    /// Whether it has ended and was reaped.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// What is to be said of its end. One that leaves by itself does not know what to do with the socket.
    var end: FileProviderError {
        let code = exitCode.load(ordering: .acquiring)
        guard code >= 0 else {
            return FileProviderError(.serverUnreachable, "rclone ended while it was asked. It is started again.")
        }
        return FileProviderError(
            .serverUnreachable,
            "rclone left by itself with the code \(code). It has to be newer than 1.66: older ones cannot be given a socket."
        )
    }

    /// Starts it on a listening socket.
    ///
    /// - Parameters:
    ///   - program: absolute path of rclone.
    ///   - listener: the socket that it takes its calls from.
    ///   - username: who may call it,
    ///   - password: with what. Both go by the environment, which nobody else can read.
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

    /// Ends it at once.
    func kill() {
        // Reaped by then, the number may be somebody else's; the sandbox has none but ours.
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
                    "rclone (\(program)) cannot be started: \(reason). Install it, or name another with the setting “program”."
                ))
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
            // Kept in memory alone; what is to last, the provider hands to the host.
            "RCLONE_CONFIG=", "RCLONE_RC_USER=" + username, "RCLONE_RC_PASS=" + password, "RCLONE_RC_SERVE=true",
            "RCLONE_RC_SERVER_READ_TIMEOUT=1h", "RCLONE_RC_SERVER_WRITE_TIMEOUT=1h",
            // Versions have dates in them, and must not change with the time zone.
            "TZ=UTC", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=/tmp", "RCLONE_CACHE_DIR=/tmp/rclone",
            "RCLONE_LOG_LEVEL=ERROR", "RCLONE_CHECK_UPDATES=false",
            // It would wait ten milliseconds before each request, of which one question needs a dozen. Who wants fewer says so (429).
            "RCLONE_WEBDAV_PACER_MIN_SLEEP=1ms",
            // It remembers each call that long, and nobody asks after one later than that.
            "RCLONE_RC_JOB_EXPIRE_DURATION=20s", "RCLONE_RC_JOB_EXPIRE_INTERVAL=2s",
            // The host tries again by itself, later each time.
            "RCLONE_LOW_LEVEL_RETRIES=2", "RCLONE_RETRIES=1", "RCLONE_CONTIMEOUT=15s", "RCLONE_TIMEOUT=60s",
            "GOMEMLIMIT=" + softMemoryLimit, "RCLONE_BUFFER_SIZE=1Mi", "RCLONE_TRANSFERS=4", "RCLONE_CHECKERS=8",
            // One request for each document of a listing saved, and folders that are there while they are empty.
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
            // Never empty: the closing nil is there.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
