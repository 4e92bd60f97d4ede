import FileProviderValidation
import Foundation
import Glibc
import Synchronization

/// What must be gone when a case or this process ends, however it does.
enum Leftovers {
    /// The environment variable that names the directory of the run to all that is started for it.
    static let variable = "DOCENT_VALIDATION_PLACE"

    /// The environment variable that has the directory for temporary files from before the run.
    static let formerTemporary = "DOCENT_VALIDATION_TMPDIR"

    private static let place = Mutex<OwnTree?>(nil)
    private static let isInterrupted = Mutex(false)
    private static let resumption = Mutex<ServiceResumption?>(nil)

    /// Notes the directory of the run.
    static func note(_ tree: OwnTree) { place.withLock { $0 = tree } }

    /// Notes how a service is made reachable again that a case left unreachable.
    static func note(_ resumption: ServiceResumption?) { self.resumption.withLock { $0 = resumption } }

    /// Ends whatever a case left, whose process has ended, and empties the directory of the run.
    static func tidy() {
        waitForInterruption()
        guard let tree = known(), let path = tree.path else { return }
        endProcesses(path)
        resumption.withLock { $0 }?.resume()
        removing { tree.empty() }
    }

    /// Ends all processes below this one and removes the directory of the run: as it was noted, or as the process was
    /// told of it.
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
        let tree = known()
        place.withLock { $0 = nil }
        let helper = TidyHelper.process
        for process in ProcessFamily.descendants(of: getpid()) where process != helper { kill(process, SIGKILL) }
        if let tree { remove(tree) } else { resumption.withLock { $0 }?.resume() }
    }

    /// Ends all processes of a run whose directory this is, and removes it.
    static func remove(_ tree: OwnTree) {
        guard let path = tree.path else { return }
        endProcesses(path)
        resumption.withLock { $0 }?.resume()
        removing { tree.remove() }
    }

    private static func known() -> OwnTree? {
        if let noted = place.withLock({ $0 }) { return noted }
        guard let path = ProcessInfo.processInfo.environment[variable],
            path.split(separator: "/").last?.hasPrefix("docent-v-") == true
        else { return nil }
        return OwnTree(path: path)
    }

    /// Whoever was started for the run is told of its directory, or has its home there; also when its parent has gone.
    private static func endProcesses(_ path: String) {
        let mark = Data(path.utf8)
        // A server that the author's program started again.
        let kept = Data("\(ServiceProgram.mark)=1\0".utf8)
        let own = getpid()
        let parent = getppid()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int32(name), process != own, process != parent,
                let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ")),
                environment.range(of: mark) != nil, environment.range(of: kept) == nil
            else { continue }
            kill(process, SIGKILL)
        }
    }

    /// What was just being killed may still have made something.
    private static func removing(_ attempt: () -> Bool) {
        for _ in 0..<50 {
            if attempt() { return }
            usleep(20_000)
        }
    }
}
