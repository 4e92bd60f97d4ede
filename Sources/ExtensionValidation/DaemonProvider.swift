import FileProviderValidation
import FoundationEssentials
import Synchronization
package import Varlink

/// A provider as seen by the clients of its own daemon. Thread-safe.
package final class DaemonProvider: ProviderInstance {
    /// The daemon.
    package let daemon: PrivateDaemon
    /// The provider in that daemon.
    package let enabled: EnabledProvider
    package let storage: String
    private let runtimeParent: String
    private let bridge: ClientBridge
    private let socket: Mutex<CInt?>

    /// Puts a bridge in front of a daemon.
    ///
    /// - Parameters:
    ///   - features: the features that the provider declares.
    ///   - runtimeParent: a directory that is removed with this object.
    /// - Throws: `VarlinkError` when no socket can be created.
    package init(
        _ daemon: PrivateDaemon, _ enabled: EnabledProvider, features: [String], storage: String, runtimeParent: String
    ) throws {
        self.daemon = daemon
        self.runtimeParent = runtimeParent
        self.enabled = enabled
        self.storage = storage
        var pair = try UnixSocket.pair()
        bridge = try ClientBridge(enabled, features: features, try pair.takeSecond())
        socket = Mutex(try pair.takeFirst().release())
    }

    deinit {
        _ = try? takeSocket()
        try? FileManager.default.removeItem(atPath: runtimeParent)
    }

    package var visibleStorage: String { storage }

    package var isApart: Bool { true }

    package func takeSocket() throws -> OwnedDescriptor {
        let raw = socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
        guard let raw else { throw VarlinkError(.closed, "The socket of this provider was already taken.") }
        return OwnedDescriptor(raw)
    }

    package var process: Int32? { daemon.process }

    package var end: String? { daemon.end }

    package var errorText: String { daemon.logTail }

    package func stop(kill: Bool) async -> String? {
        let how = await daemon.stop(kill: kill)
        bridge.close()
        enabled.client.close()
        return how
    }
}
