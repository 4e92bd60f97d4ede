import CVarlinkSocket

/// Starts threads with small stacks. They block in system calls, so they must not come from a pool.
package enum DetachedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private static let stackBytes = 512 << 10

    /// Runs `body` on a new thread. Throws if the system has no more threads; `body` is then released.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(VarlinkError) {
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        let result = cvarlink_thread(
            stackBytes, name,
            { @Sendable context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            }, context)
        guard result == 0 else {
            Unmanaged<Body>.fromOpaque(context).release()
            throw VarlinkError(systemCall: "start a thread", errno: result)
        }
    }
}
