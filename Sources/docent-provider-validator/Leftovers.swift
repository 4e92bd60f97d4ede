import ExtensionValidation
import Foundation
import Glibc
import Synchronization

/// What must be gone when this process ends, however it does.
enum Leftovers {
    private static let place = Mutex<String?>(nil)

    /// Notes the directory of the run.
    static func note(_ path: String) { place.withLock { $0 = path } }

    /// Ends all processes below this one and removes the directory of the run: as it was noted, or as the process was told of it.
    static func remove() {
        for process in ProcessFamily.descendants(of: getpid()) { kill(process, SIGKILL) }
        let noted = place.withLock { place in
            defer { place = nil }
            return place
        }
        guard let path = noted ?? ProcessInfo.processInfo.environment["DOCENT_VALIDATION_PLACE"],
            path.split(separator: "/").last?.hasPrefix("docent-v-") == true
        else { return }
        // What was just being killed may still have made something.
        for _ in 0..<50 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(20_000)
        }
    }
}
