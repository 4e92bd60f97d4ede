import Synchronization

/// The rclone services of this process by program. In a sandbox there is one.
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
