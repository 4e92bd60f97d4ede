import FileProvider
import Glibc

/// The rclone process of this extension, which serves all its domains. Started by the first call, and again after it
/// ended.
actor RcloneService {
    /// Where one run accepts calls.
    struct Endpoint: Sendable {
        let process: RcloneProcess
        /// Grows with each run: a new run knows nothing of what an earlier one was given.
        let run: Int
        let port: Int
        let username: String
        let password: String
    }

    // More starts than this in that time are no accident.
    private static let mostStarts = 10
    private static let startsWithin: Duration = .seconds(60)

    private let program: String
    private var listener: RcloneListener?
    private var current: Endpoint?
    private var starting: Task<Endpoint, any Error>?
    private var starts: [ContinuousClock.Instant] = []
    private var run = 0

    init(program: String) { self.program = program }

    /// The service for a program: the one in the settings, or else the first that exists in the usual places.
    static func of(program: String?) -> RcloneService { RcloneServices.shared.service(program ?? usualProgram()) }

    static func usualProgram() -> String {
        let places = ["/usr/local/bin/rclone", "/usr/bin/rclone", "/opt/rclone/rclone"]
        return places.first { access($0, X_OK) == 0 } ?? "/usr/bin/rclone"
    }

    /// The running rclone, which is started if necessary.
    ///
    /// - Throws: `FileProviderError` when it cannot be started, or ends again and again.
    func endpoint() async throws -> Endpoint {
        if let current, !current.process.hasEnded { return current }
        let task = starting ?? Task { try await start() }
        starting = task
        defer { starting = nil }
        return try await task.value
    }

    private func start() async throws -> Endpoint {
        let now = ContinuousClock.now
        starts.removeAll { $0 + Self.startsWithin < now }
        guard starts.count < Self.mostStarts else {
            throw FileProviderError(
                .busy, "rclone has exited \(starts.count) times within a minute. It will be restarted later.",
                retryAfter: 30)
        }
        let socket = try listener ?? RcloneListener()
        listener = socket
        let username = Self.secret()
        let password = Self.secret()
        let process = try await RcloneProcess.start(
            program, listener: socket.descriptor, username: username, password: password)
        starts.append(now)
        run += 1
        let endpoint = Endpoint(
            process: process, run: run, port: socket.port, username: username, password: password)
        current = endpoint
        return endpoint
    }

    // 128 bits from the system's random generator.
    private static func secret() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}
