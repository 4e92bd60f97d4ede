import CLinux
import FileProviderValidation
import Glibc
import ProcessLaunching
import Synchronization

/// A process that outlives the validator, however that ends, and then removes what a run left. It receives the
/// directory of the run as a descriptor, and nothing that names it.
enum TidyHelper {
    private struct Helper {
        var process: Int32
        /// This process's end of a pipe that is never written to: it closes when this process ends.
        var lifeline: CInt
    }

    private static let helper = Mutex<Helper?>(nil)
    private static let lifeline: CInt = 3
    private static let tree: CInt = 4

    /// Its process number; nil if it was not started.
    static var process: Int32? { helper.withLock { $0?.process } }

    /// Starts it for the directory of a run and its service program. Without it, only a killed validator leaves files
    /// behind.
    static func start(_ program: String, for place: OwnTree, service: String?) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return }
        var launch = ProgramLaunch(
            program, ["--tidy"] + (service.map { ["--service", $0] } ?? []), environment: .own,
            descriptors: [.null, .null, .null, .copy(ends[0]), .copy(place.raw)])
        launch.startsSession = true
        let started = try? launch.start()
        close(ends[0])
        guard let started else {
            close(ends[1])
            return
        }
        helper.withLock { $0 = Helper(process: started, lifeline: ends[1]) }
    }

    /// The helper itself: waits for the end of the validator, then ends what the run started and removes its directory.
    static func run(service: String?) throws(ValidatorProblem) {
        guard fcntl(lifeline, F_GETFD) >= 0, let place = OwnTree(adopting: tree) else {
            throw ValidatorProblem(
                "There is nothing to clean up.", "This is for docent-provider-validator itself.", status: 64)
        }
        var byte: UInt8 = 0
        while true {
            let count = clinux_read(lifeline, &byte, 1)
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        if let path = place.path { Leftovers.note(try ServiceResumption(service, run: path)) }
        Leftovers.remove(place)
    }
}
