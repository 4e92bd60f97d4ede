package import DocentInterfaces
package import ExtensionHosting
package import ExtensionManifest
import Synchronization

/// Starts extensions in this process, and ends them like a crash.
///
/// Thread-safe.
package final class InProcessStarter: ExtensionStarting {
    private struct State {
        var running: [String: [InProcessProgram]] = [:]
        var starts: [String: Int] = [:]
        var refusals: [String: Failure] = [:]
        var gates: [String: CallGate] = [:]
        var broken: [String: ExtensionExit] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func start(_ provider: KnownProvider, _ manifest: ExtensionManifest) async throws -> StartedExtension {
        if let refusal = state.withLock({ $0.refusals[provider.identifier] }) { throw refusal }
        if let gate = state.withLock({ $0.gates.removeValue(forKey: provider.identifier) }) { try await gate.pass() }
        if let exit = state.withLock({ $0.broken[provider.identifier] }) {
            return StartedExtension(
                program: try BrokenProgram(exit: exit),
                files: LibraryFiles(library: manifest.libraryPath, companions: []))
        }
        let program = try InProcessProgram()
        state.withLock { state in
            state.starts[provider.identifier, default: 0] += 1
            state.running[provider.identifier, default: []].removeAll { !$0.isRunning }
            state.running[provider.identifier, default: []].append(program)
        }
        return StartedExtension(program: program, files: LibraryFiles(library: manifest.libraryPath, companions: []))
    }

    package func rehearse() async -> Wire.Check { Wire.Check(name: "sandbox", status: "ok", detail: "in process") }

    /// How often a provider's extensions were started.
    package func starts(of provider: String) -> Int { state.withLock { $0.starts[provider] ?? 0 } }

    /// Ends a provider's extensions in the middle of their calls.
    package func kill(_ provider: String) {
        for program in state.withLock({ $0.running[provider] ?? [] }) { program.kill() }
    }

    /// Makes the next start of a provider wait before anything runs.
    package func hold(_ provider: String) -> CallGate {
        let gate = CallGate()
        state.withLock { $0.gates[provider] = gate }
        return gate
    }

    /// Makes a provider send something that is no message as soon as it is started, and end.
    package func `break`(_ provider: String, exit: ExtensionExit) {
        state.withLock { $0.broken[provider] = exit }
    }

    /// Refuses every start of a provider; nil allows it again.
    package func refuse(_ provider: String, _ failure: Failure?) { state.withLock { $0.refusals[provider] = failure } }
}
