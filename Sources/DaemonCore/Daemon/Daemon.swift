import Access
import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import Foundation
package import HostCore
import HostServices
package import Logging
import Rights
import Saving
package import Storage
import Varlink

/// The whole daemon: the host's services under their lock, served on the socket until they are asked to stop or have
/// nothing to do (D1, D2).
package final class Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let layout: StorageLayout
    private let lock: InstanceLock
    private let socket: DaemonSocket
    private let database: HostDatabase
    private let host: HostAssembly
    private let server: VarlinkServer
    private let control: DaemonControl
    private let logger: Logger

    /// Makes a daemon. Returns nil if another one holds the lock: there is nothing to do then.
    ///
    /// - Parameters:
    ///   - givenSocket: a listening socket from the service manager.
    ///   - crash: for tests; called after each numbered step of W.
    ///   - signInCrash: for tests; called after each durable step of a login or a logout.
    /// - Throws: ``Failure`` or a storage or database error with the reason.
    package static func make(
        configuration: DaemonConfiguration, givenSocket: CInt?, logger: Logger, crash: @escaping CrashPoint = { _ in },
        signInCrash: @escaping SignInCrashPoint = { _ in }
    ) async throws -> Daemon? {
        let layout = try StorageLayout(environment: configuration.environment)
        try layout.prepare()
        guard let lock = try InstanceLock.acquire(at: layout.dataLockPath) else { return nil }
        return try await Daemon(
            configuration: configuration, layout: layout, lock: lock, givenSocket: givenSocket, logger: logger,
            crash: crash, signInCrash: signInCrash)
    }

    private init(
        configuration: DaemonConfiguration, layout: StorageLayout, lock: InstanceLock, givenSocket: CInt?,
        logger: Logger, crash: @escaping CrashPoint, signInCrash: @escaping SignInCrashPoint
    ) async throws {
        self.configuration = configuration
        self.layout = layout
        self.lock = lock
        // Anything that a provider says may end up in the log.
        let secrets = KnownSecrets(names: KnownSecrets.ownNames(configuration.environment))
        let logger = secrets.redacting(logger)
        self.logger = logger
        socket = try await DaemonSocket(layout: layout, given: givenSocket)
        database = try HostDatabase(directory: layout.dataDirectory.text)
        let groups = Self.controlGroups(logger)
        var environment = HostEnvironment(
            configuration: configuration, layout: layout, database: database, secrets: secrets, logger: logger
        ) { registry in
            SandboxStarter(layout: layout, configuration: configuration, groups: groups) {
                try await registry.writableFolders()
            }
        }
        environment.crash = crash
        environment.signInCrash = signInCrash
        let host = try await HostAssembly(environment)
        self.host = host
        control = DaemonControl(
            layout: layout, supervisor: host.supervisor, administration: host.administration,
            isBusy: { await host.isBusy() }, logger: logger)
        let sessions = SessionRegistry(identity: try PeerIdentity(environment: configuration.environment)) {
            host.sessionEnded($0)
        }
        host.changes.follow { [sessions] in sessions.sessions }
        server = VarlinkServer(
            information: ServiceInformation(
                vendor: "Docent", product: "docentd", version: DaemonControl.version, url: "https://docent.invalid"),
            interfaces: host.interfaces(for: sessions, control: control), observer: sessions,
            errorMapper: { FailureMapping.failure($0).callError(interface: DocumentsInterface.name) })
        control.connect(server: server, sessions: sessions)
    }

    /// The session's control groups, if this process may use some.
    private static func controlGroups(_ logger: Logger) -> ControlGroups? {
        do throws(ControlGroups.Unavailable) {
            let groups = try ControlGroups()
            logger.info("providers get control groups", metadata: ["in": "\(groups.directory)"])
            return groups
        } catch {
            logger.info("providers get no control groups", metadata: ["why": "\(error)"])
            return nil
        }
    }

    // MARK: Running

    /// Recovers, listens, and returns when the daemon has to stop.
    ///
    /// - Parameter ready: called once, when clients can connect.
    package func run(ready: @Sendable () -> Void) async throws {
        await host.prepare()
        control.noteRunning()
        try socket.open(server)
        ready()
        logger.info("ready", metadata: ["socket": "\(layout.socketPath)"])
        let work = Task { [host] in await host.run() }
        await withTaskGroup { group in
            group.addTask { await self.control.waitForStop() }
            group.addTask { await self.waitForIdleness() }
            await group.next()
            group.cancelAll()
        }
        socket.close(server)
        work.cancel()
        host.writes.prepareForEnd()
        server.shutdown()
        await host.end()
        logger.info("ended")
        try? database.close()
    }

    /// Asks a running daemon to stop, as SIGTERM does.
    package func requestStop() { control.requestStop() }

    /// Returns once there was no activity for the idle time and no client connected at the last moment (D2).
    private func waitForIdleness() async {
        guard configuration.idleSeconds > 0 else {
            try? await Task.sleep(for: .seconds(1 << 30))
            return
        }
        var idleSince = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            var isBusy = server.connectionCount > 0
            if !isBusy { isBusy = await host.isBusy() }
            if isBusy { idleSince = .now }
            guard .now - idleSince > .seconds(configuration.idleSeconds) else { continue }
            socket.close(server)
            guard server.connectionCount > 0 else { return }
            do {
                try socket.open(server)
            } catch {
                logger.error("cannot listen again", metadata: ["why": "\(error)"])
                return
            }
            idleSince = .now
        }
    }
}
