/// The transports of this module: the interface as it is, over a socket.
package enum WireTransport {
    /// The Swift SDK's own server in this process, for a provider whose class is linked into it.
    package static var inProcess: any ValidationTransport { InProcessTransport() }

    /// A program that serves the interface on its descriptor 3, in a process of its own, without a sandbox.
    ///
    /// - Parameters:
    ///   - program: absolute path.
    ///   - arguments: without the program's own name.
    ///   - environment: all of it.
    package static func spawned(
        _ program: String, arguments: [String] = [], environment: [String: String] = [:]
    ) -> any ValidationTransport {
        SpawnedTransport(program: program, arguments: arguments, environment: environment)
    }
}
