import Glibc

/// A separate thread, for calls that block in the kernel.
package enum Thread {
    /// Starts a thread, which ends with the body.
    ///
    /// - Returns: whether it could be started.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Thread.run(Unmanaged<Box>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private static func run(_ box: Box) { box.body() }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
