import FoundationEssentials
import Synchronization

/// The service behind the provider, as far as the validator can act on it: with a proxy on the way to it, and with the
/// author's program. Thread-safe.
package final class TestedService: Sendable {
    private let program: ServiceProgram?
    /// The proxy on the way to it; nil if the provider connects directly.
    package let proxy: ServiceProxy?
    private let mark: PauseMark?
    private let variables: [String: String]
    private let lasting = Mutex<[String: String]>([:])

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - variables: the environment of the program: the account as the user of a provider knows it.
    ///   - mark: records that the service is unreachable, for the cleanup after a case.
    package init(
        program: ServiceProgram?, proxy: ServiceProxy? = nil, variables: [String: String] = [:], mark: PauseMark? = nil
    ) {
        self.program = program
        self.proxy = proxy
        self.variables = variables
        self.mark = mark
    }

    /// The possible actions. A program may turn out not to support a verb.
    package var abilities: ServiceAbilities {
        var result: ServiceAbilities = []
        if proxy != nil { result.insert(.reach) }
        if program != nil { result.formUnion([.reach, .change]) }
        return result
    }

    /// Adds the variables of the case to the environment of the program.
    func tell(_ variables: [String: String]) { lasting.withLock { $0.merge(variables) { _, new in new } } }

    /// Makes it unreachable: connections are refused.
    func pause() async throws {
        if let proxy { return proxy.pause() }
        do {
            try await runMarked(.pause)
        } catch ServiceProblem.lacking(let reason) {
            throw ServiceProblem.lacking(reason + "; --proxy can do it if the provider reaches the service by TCP")
        }
    }

    /// Makes it reachable again.
    func resume() async throws {
        if let proxy { return try proxy.resume() }
        try await run(.resume)
        mark?.clear()
    }

    /// Cuts the existing connections.
    func cut() async throws {
        if let proxy { return proxy.cut() }
        // The program may make it unreachable for a moment, and be killed meanwhile.
        try await runMarked(.cut)
        mark?.clear()
    }

    /// Changes a document as another client would.
    func change(_ change: ServiceChange) async throws { try await run(.change, change.arguments, change.input) }

    private var allVariables: [String: String] {
        variables.merging(lasting.withLock { $0 }) { _, new in new }
    }

    // After a failure the mark remains, because the service may be unreachable.
    private func runMarked(_ verb: ServiceProgram.Verb) async throws {
        try mark?.set(allVariables)
        do {
            try await run(verb)
        } catch ServiceProblem.lacking(let reason) {
            mark?.clear()
            throw ServiceProblem.lacking(reason)
        }
    }

    private func run(_ verb: ServiceProgram.Verb, _ arguments: [String] = [], _ input: [UInt8] = []) async throws {
        guard let program else { throw ServiceProblem.lacking("There is no service program") }
        try await program.run(verb, arguments, variables: allVariables, input: input)
    }
}
