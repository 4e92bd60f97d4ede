import DocentInterfaces
import Glibc
import HostCore
package import Storage
import Synchronization
package import Varlink

/// The socket that any client may connect to. It is bound under a lock, so that no daemon ever unlinks another's socket
/// (D1).
package final class DaemonSocket: Sendable {
    private let path: String
    private let lock: InstanceLock?
    private let given: Mutex<CInt?>

    /// Waits for up to two seconds for the lock beside the socket.
    ///
    /// - Parameter given: a listening socket from the service manager; this object owns it.
    /// - Throws: ``Failure`` if another process holds the lock.
    package init(layout: StorageLayout, given: CInt?) async throws {
        path = layout.socketPath
        self.given = Mutex(given)
        guard given == nil else {
            lock = nil
            return
        }
        guard let lock = try await Self.acquire(layout.socketLockPath) else {
            throw Failure(
                .unavailable, "Another daemon with different data serves \(path).",
                suggestion: "Give each one an XDG_RUNTIME_DIR of its own.")
        }
        self.lock = lock
    }

    // A daemon with the same data that is just exiting releases its locks one after another.
    private static func acquire(_ path: String) async throws -> InstanceLock? {
        for _ in 0..<100 {
            if let lock = try InstanceLock.acquire(at: path) { return lock }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    /// Starts listening, for the first time or again. The socket has a temporary name until it listens.
    package func open(_ server: VarlinkServer) throws {
        if let descriptor = given.withLock({ $0 }) {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw Failure(.unavailable, "The given socket cannot be used.") }
            return try server.listen(on: OwnedDescriptor(copy), label: SessionRegistry.commonLabel)
        }
        let temporary = path + ".new"
        unlink(temporary)
        let socket = try UnixSocket.listen(path: temporary, mode: 0o600)
        guard rename(temporary, path) == 0 else {
            throw Failure(.unavailable, "\(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        try server.listen(on: socket, label: SessionRegistry.commonLabel)
    }

    /// Stops listening. New clients no longer find the socket; clients that already connected are accepted first (D2).
    package func close(_ server: VarlinkServer) {
        if given.withLock({ $0 }) == nil { unlink(path) }
        server.stopListening(label: SessionRegistry.commonLabel)
    }
}
