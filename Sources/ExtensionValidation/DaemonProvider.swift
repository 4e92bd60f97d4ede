import FileProviderValidation
import FoundationEssentials
import Synchronization
package import Varlink

/// A provider as the clients of a daemon of its own see it. Thread-safe.
package final class DaemonProvider: ProviderInstance {
    /// The daemon.
    package let daemon: PrivateDaemon
    /// The provider there.
    package let enabled: EnabledProvider
    package let storage: String
    private let runtimeParent: String
    private let bridge: ClientBridge
    private let socket: Mutex<CInt?>

    /// Puts a bridge before a daemon.
    ///
    /// - Parameters:
    ///   - features: what the provider declares.
    ///   - runtimeParent: a directory that is removed with it.
    /// - Throws: `VarlinkError` when no socket can be made.
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
        guard let raw else { throw VarlinkError(.closed, "The socket of this provider was taken.") }
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
