import CLinux
import FileProviderValidation
import Foundation
import Glibc
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
        let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard errors >= 0 else { return }
        defer { close(errors) }
        guard clinux_pipe(&ends) == 0 else { return }
        let words = [program, "--tidy"] + (service.map { ["--service", $0] } ?? [])
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var started: Int32 = 0
        let result = clinux_spawn_piped(program, &arguments, &variables, [errors, ends[0], place.raw], 3, &started)
        close(ends[0])
        guard result == 0 else {
            close(ends[1])
            return
        }
        helper.withLock { $0 = Helper(process: started, lifeline: ends[1]) }
    }

    /// The helper itself: waits for the end of the validator, then ends what the run started and removes its directory.
    static func run(service: String?) throws(ValidatorProblem) {
        guard fcntl(lifeline, F_GETFD) >= 0, let place = OwnTree(adopting: tree) else {
            throw ValidatorProblem(
                "Nothing is to be tidied.", "This is for docent-provider-validator itself.", status: 64)
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
