import Synchronization

/// The rclones of this process by their programs: one in a sandbox.
final class RcloneServices: Sendable {
    static let shared = RcloneServices()
    private let known = Mutex<[String: RcloneService]>([:])

    func service(_ program: String) -> RcloneService {
        known.withLock { known in
            let service = known[program] ?? RcloneService(program: program)
            known[program] = service
            return service
        }
    }
}
