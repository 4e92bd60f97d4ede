import DocentInterfaces
import FileProviderValidation
import Foundation
import Glibc

/// Makes a service reachable again that a case left unreachable because its process ended early.
struct ServiceResumption: Sendable {
    private let program: ServiceProgram
    private let mark: PauseMark

    /// Creates it for the program of a run and its directory; nil if no program could have made the service
    /// unreachable.
    init?(_ service: String?, run directory: String) throws(ValidatorProblem) {
        guard let program = try RunService.program(service) else { return nil }
        self.program = program
        mark = PauseMark(run: directory)
    }

    /// Makes the service reachable again if necessary. Blocks.
    func resume() {
        guard let variables = mark.read() else { return }
        let program = program
        let mark = mark
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await program.run(.resume, variables: variables)
                // Only now: if this process is killed before, the mark remains for the next one.
                mark.clear()
            } catch {
                let text = (error as? ServiceProblem)?.text ?? PlainText.words(of: error)
                FileDescriptorText.write(
                    "docent: The service may still be unreachable. \(PlainText.escaped(text))\n", to: STDERR_FILENO)
            }
            done.signal()
        }
        done.wait()
    }
}
