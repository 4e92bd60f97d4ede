import DocentInterfaces
import FileProviderValidation
import Foundation
import Glibc

/// Makes a service reachable again that a case left unreachable, because its process ended in the midst of it.
struct ServiceResumption: Sendable {
    private let program: ServiceProgram
    private let mark: PauseMark

    /// For the program of a run and its directory; nil where there is no program that could have made it unreachable.
    init?(_ service: String?, run directory: String) throws(ValidatorProblem) {
        guard let program = try RunService.program(service) else { return nil }
        self.program = program
        mark = PauseMark(run: directory)
    }

    /// Does so, if it is needed. Blocks.
    func resume() {
        guard let variables = mark.read() else { return }
        let program = program
        let mark = mark
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await program.run(.resume, variables: variables)
                // Only now: whoever is killed before it leaves it to the next one.
                mark.clear()
            } catch {
                let text = (error as? ServiceProblem)?.text ?? PlainText.words(of: error)
                FileDescriptorText.write(
                    "docent: The service may still be paused. \(PlainText.escaped(text))\n", to: STDERR_FILENO)
            }
            done.signal()
        }
        done.wait()
    }
}
