import FileProviderValidation
import Foundation
import Glibc
import Synchronization

/// What must be gone when a case or this process ends, however it does.
enum Leftovers {
    /// The environment variable that names the directory of the run to all that is started for it.
    static let variable = "DOCENT_VALIDATION_PLACE"

    private static let place = Mutex<String?>(nil)
    private static let isInterrupted = Mutex(false)

    /// Notes the directory of the run.
    static func note(_ path: String) { place.withLock { $0 = path } }

    /// Ends whatever a case left, whose process has ended, and empties the directory of the run.
    static func tidy() {
        waitForInterruption()
        guard let path = known() else { return }
        endProcesses(path)
        removing { isLast in
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
                remove(path + "/" + name, force: isLast)
            }
            return (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty ?? true
        }
    }

    /// Ends all processes below this one and removes the directory of the run: as it was noted, or as the process was told of it.
    static func remove() {
        waitForInterruption()
        removeAll()
    }

    /// The same because of a signal, after which this process ends: whoever else comes to tidy waits for that.
    static func interrupt() {
        isInterrupted.withLock { $0 = true }
        removeAll()
    }

    // The run goes on when its case was killed, and would end with its report before all is removed.
    private static func waitForInterruption() {
        while isInterrupted.withLock({ $0 }) { sleep(1) }
    }

    private static func removeAll() {
        let path = known()
        place.withLock { $0 = nil }
        for process in ProcessFamily.descendants(of: getpid()) { kill(process, SIGKILL) }
        guard let path else { return }
        endProcesses(path)
        removing { isLast in
            remove(path, force: isLast)
            return !FileManager.default.fileExists(atPath: path)
        }
    }

    private static func known() -> String? {
        let path = place.withLock { $0 } ?? ProcessInfo.processInfo.environment[variable]
        guard let path, path.split(separator: "/").last?.hasPrefix("docent-v-") == true else { return nil }
        return path
    }

    /// Whoever was started for the run is told of its directory, or has its home there; also when its parent has gone.
    private static func endProcesses(_ path: String) {
        let mark = Data(path.utf8)
        let own = getpid()
        let parent = getppid()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int32(name), process != own, process != parent,
                let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ")),
                environment.range(of: mark) != nil
            else { continue }
            kill(process, SIGKILL)
        }
    }

    /// What was just being killed may still have made something.
    private static func removing(_ attempt: (_ isLast: Bool) -> Bool) {
        for round in 0..<50 {
            if attempt(round >= 2) { return }
            usleep(20_000)
        }
    }

    private static func remove(_ path: String, force: Bool) {
        if force { makeWritable(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    // A provider may have taken the right to write from its own folders.
    private static func makeWritable(_ path: String) {
        for case let folder as URL in FileManager.default.enumerator(
            at: URL(filePath: path), includingPropertiesForKeys: [.isDirectoryKey]) ?? .init()
        where (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            chmod(folder.path, 0o700)
        }
    }
}
