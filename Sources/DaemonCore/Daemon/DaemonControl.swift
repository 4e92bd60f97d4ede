package import DocentInterfaces
package import ExtensionHosting
import Foundation
package import HostCore
package import HostServices
package import Logging
import ProcessLaunching
package import Storage
import Synchronization
package import Varlink

/// The administration of the daemon itself: status, sockets for single clients, stopping.
package final class DaemonControl: Sendable {
    /// The version of the daemon and the command line.
    package static let version = "0.1.0"

    private let layout: StorageLayout
    private let supervisor: ExtensionSupervisor
    private let administration: AdministrationService
    private let isBusy: @Sendable () async -> Bool
    private let started = Date()
    private let logger: Logger
    private let parts = Mutex<Parts?>(nil)
    private let stopping = AsyncStream<Void>.makeStream()

    private struct Parts: Sendable {
        var server: VarlinkServer
        var sessions: SessionRegistry
    }

    /// - Parameter isBusy: whether there is work, apart from connections, that would be lost or delayed if the daemon
    ///   exited.
    package init(
        layout: StorageLayout, supervisor: ExtensionSupervisor, administration: AdministrationService,
        isBusy: @escaping @Sendable () async -> Bool, logger: Logger
    ) {
        self.layout = layout
        self.supervisor = supervisor
        self.administration = administration
        self.isBusy = isBusy
        self.logger = logger
    }

    /// Sets the parts that are made after this object because they need it.
    package func connect(server: VarlinkServer, sessions: SessionRegistry) {
        parts.withLock { $0 = Parts(server: server, sessions: sessions) }
    }

    /// Waits until a stop is requested.
    package func waitForStop() async { for await _ in stopping.stream { return } }

    /// Requests a stop.
    package func requestStop() { stopping.continuation.yield() }

    /// Stops the daemon. Refused if changes are waiting to be sent, unless forced; the changes are kept either way.
    ///
    /// - Parameter ifIdle: stop only if no client but the caller is connected and there is no work. This does not count
    ///   as stopped by the user.
    package func stop(force: Bool, ifIdle: Bool) async throws {
        if ifIdle, let parts = parts.withLock({ $0 }) {
            let isBusy = await isBusy()
            guard parts.sessions.sessions.count <= 1, !isBusy else {
                throw Failure(.conflict, "The daemon is in use.", suggestion: "Stop it with `docent daemon stop`.")
            }
        }
        let waiting = await administration.pendingOperations()
        guard waiting == 0 || force else {
            throw Failure(
                .conflict,
                (waiting == 1 ? "1 change is" : "\(waiting) changes are") + " waiting to be sent to the provider.",
                suggestion: "They are kept, and sent when the daemon runs again: docent daemon stop --force")
        }
        if !ifIdle { noteStopped() }
        // The reply to this call has to be sent first.
        Task {
            try? await Task.sleep(for: .milliseconds(50))
            requestStop()
        }
    }

    // Written before clients can notice the end, so that they do not start another daemon.
    private func noteStopped() {
        let file = open(layout.stoppedPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            return logger.warning("cannot record that the user stopped the daemon", metadata: ["errno": "\(errno)"])
        }
        close(file)
    }

    /// Removes the note that an earlier daemon was stopped.
    package func noteRunning() { unlink(layout.stoppedPath) }

    /// The daemon's own limits, for `docent doctor`.
    package func checks() -> [Wire.Check] {
        [ShareCheck.check(connections: parts.withLock { $0 }?.server.connectionCount ?? 0)]
    }

    /// The status, for `docent daemon status`.
    package func status() async -> AdministrationInterface.Status.Reply {
        let parts = parts.withLock { $0 }
        return AdministrationInterface.Status.Reply(
            version: Self.version, processIdentifier: Int(getpid()), uptime: Date().timeIntervalSince(started),
            socket: layout.socketPath, dataDirectory: layout.dataDirectory.text,
            residentBytes: ProcessTree.resident(getpid()) ?? 0, sessions: parts?.sessions.sessions.count ?? 0,
            pendingOperations: await administration.pendingOperations(),
            extensions: await supervisor.statuses())
    }

    /// Listens on a socket for one confined client until the caller disconnects.
    package func listen(
        forClient client: String, _ announce: (String) async throws -> Void
    ) async throws -> Reply<AdministrationInterface.ListenForClient.Reply> {
        guard let server = parts.withLock({ $0?.server }) else {
            throw Failure(.unavailable, "The daemon is starting.")
        }
        guard SessionRegistry.isAcceptable(client) else {
            throw Failure(
                .invalidArgument, "\"\(client)\" is not a client identifier.",
                suggestion: "Use reverse DNS, like org.example.Editor.")
        }
        let path = "\(layout.runtimeDirectory)/client-\(UUID().uuidString.prefix(8)).sock"
        let label = SessionRegistry.label(client: client, socket: path)
        try server.listen(on: try UnixSocket.listen(path: path, mode: 0o600), label: label)
        defer {
            unlink(path)
            server.stopListening(label: label)
        }
        try await announce(path)
        try await Task.sleep(for: .seconds(1 << 30))
        return Reply(.init(path: path))
    }
}
