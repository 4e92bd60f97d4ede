/// The transports of this module, which carry the interface unchanged over a socket.
package enum WireTransport {
    /// The Swift SDK's own server in this process, for a provider whose class is linked into it.
    package static var inProcess: any ValidationTransport { InProcessTransport() }

    /// A program that serves the interface on its descriptor 3, in its own process, without a sandbox.
    ///
    /// - Parameters:
    ///   - program: absolute path.
    ///   - arguments: without the program name.
    ///   - environment: its whole environment.
    package static func spawned(
        _ program: String, arguments: [String] = [], environment: [String: String] = [:]
    ) -> any ValidationTransport {
        SpawnedTransport(program: program, arguments: arguments, environment: environment)
    }
}
