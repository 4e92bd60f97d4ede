import FileProviderValidation
import Foundation
import Glibc
import ProcessLaunching
import Synchronization

/// Cleans up when a case or this process ends in any way.
enum Leftovers {
    /// The environment variable with the directory of the run, for all processes that are started for it.
    static let variable = "DOCENT_VALIDATION_PLACE"

    /// The environment variable with the original directory for temporary files.
    static let formerTemporary = "DOCENT_VALIDATION_TMPDIR"

    private static let place = Mutex<OwnTree?>(nil)
    private static let isInterrupted = Mutex(false)
    private static let resumption = Mutex<ServiceResumption?>(nil)

    /// Records the directory of the run.
    static func note(_ tree: OwnTree) { place.withLock { $0 = tree } }

    /// Records how to make a service reachable again that a case left unreachable.
    static func note(_ resumption: ServiceResumption?) { self.resumption.withLock { $0 = resumption } }

    /// Ends the processes that a finished case left, and empties the directory of the run.
    static func tidy() {
        waitForInterruption()
        guard let tree = known(), let path = tree.path else { return }
        endProcesses(path)
        resumption.withLock { $0 }?.resume()
        removing { tree.empty() }
    }

    /// Ends all processes below this one and removes the directory of the run, as recorded or from the environment.
    static func remove() {
        waitForInterruption()
        removeAll()
    }

    /// The same because of a signal, after which this process exits. Other calls to clean up wait for that.
    static func interrupt() {
        isInterrupted.withLock { $0 = true }
        removeAll()
    }

    // When its case is killed, the run continues, and would exit with its report before everything is removed.
    private static func waitForInterruption() {
        while isInterrupted.withLock({ $0 }) { sleep(1) }
    }

    private static func removeAll() {
        let tree = known()
        place.withLock { $0 = nil }
        let helper = TidyHelper.process
        for process in ProcessTree.descendants(of: getpid()) where process != helper { kill(process, SIGKILL) }
        if let tree { remove(tree) } else { resumption.withLock { $0 }?.resume() }
    }

    /// Ends all processes of the run with this directory, and removes the directory.
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

    /// Processes of the run have its directory in their environment, or their home in it, even if their parent is gone.
    private static func endProcesses(_ path: String) {
        let mark = Data(path.utf8)
        // A server that the author's program restarted.
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

    /// Processes that are just being killed may still have created files.
    private static func removing(_ attempt: () -> Bool) {
        for _ in 0..<50 {
            if attempt() { return }
            usleep(20_000)
        }
    }
}
