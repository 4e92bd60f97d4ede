package import DaemonCore
import ExtensionHosting
import Foundation
package import HostCore
import Logging
package import Rights
import Saving
package import Storage
import Synchronization
import Transfers
import Varlink

/// All services of the host in this process, as the daemon assembles them, in a temporary folder: with providers in
/// memory, and sessions of any client. It starts no process and has no socket.
///
/// Thread-safe.
package final class TestHost: Sendable {
    /// The services.
    package let services: HostAssembly
    /// Starts and kills the providers.
    package let extensions: InProcessStarter
    /// The clock of the services.
    package let clock: VirtualClock
    /// The paths of this host.
    package let root: String
    private let stores: [TestProviderKind: TestStore]
    private let database: HostDatabase
    private let sessions = Mutex<[Session]>([])
    private let environment: [String: String]
    private let limits: ContentLimits

    /// Runs a test with a host that ends with it.
    ///
    /// - Parameters:
    ///   - environment: variables of the daemon's environment.
    ///   - limits: what a client may have open.
    ///   - crash: called after each numbered step of W.
    package static func with<Result>(
        environment: [String: String] = [:], limits: ContentLimits = ContentLimits(),
        crash: @escaping CrashPoint = { _ in }, signInCrash: @escaping SignInCrashPoint = { _ in },
        _ body: (TestHost) async throws -> Result
    ) async throws -> Result {
        let path = NSTemporaryDirectory() + "docent-host-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path + "/home/Documents", withIntermediateDirectories: true)
        let root = URL(filePath: path).resolvingSymlinksInPath().path
        defer {
            TestStores.remove(root: root)
            try? FileManager.default.removeItem(atPath: root)
        }
        var stores: [TestProviderKind: TestStore] = [:]
        for kind in TestProviderKind.allCases {
            try TestInstallation.install(kind, in: root)
            let store = try TestStore(directory: root + "/Stores/" + kind.name, keepsConflicts: kind != .remote)
            TestStores.add(store, root: root, provider: kind.identifier)
            stores[kind] = store
        }
        let host = try await TestHost(
            root: root, stores: stores, extensions: InProcessStarter(), environment: environment, limits: limits,
            clock: VirtualClock(), crash: crash, signInCrash: signInCrash)
        return try await host.ending { try await body(host) }
    }

    /// Runs a part of a test with another machine as well: a host of its own with the same accounts.
    package func beside<Result>(_ body: (TestHost) async throws -> Result) async throws -> Result {
        let path = NSTemporaryDirectory() + "docent-host-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path + "/home/Documents", withIntermediateDirectories: true)
        let root = URL(filePath: path).resolvingSymlinksInPath().path
        defer {
            TestStores.remove(root: root)
            try? FileManager.default.removeItem(atPath: root)
        }
        for (kind, store) in stores {
            try TestInstallation.install(kind, in: root)
            TestStores.add(store, root: root, provider: kind.identifier)
        }
        let other = try await TestHost(
            root: root, stores: stores, extensions: InProcessStarter(), environment: environment, limits: limits,
            clock: VirtualClock(), crash: { _ in }, signInCrash: { _ in })
        return try await other.ending { try await body(other) }
    }

    /// Ends this host like a stopped daemon, and runs the rest of a test with the next one over the same files.
    package func restarted<Result>(
        environment: [String: String]? = nil, _ body: (TestHost) async throws -> Result
    ) async throws -> Result {
        services.writes.prepareForEnd()
        await end()
        let next = try await TestHost(
            root: root, stores: stores, extensions: extensions, environment: environment ?? self.environment,
            limits: limits, clock: VirtualClock(), crash: { _ in }, signInCrash: { _ in })
        return try await next.ending { try await body(next) }
    }

    private init(
        root: String, stores: [TestProviderKind: TestStore], extensions: InProcessStarter,
        environment: [String: String], limits: ContentLimits, clock: VirtualClock, crash: @escaping CrashPoint,
        signInCrash: @escaping SignInCrashPoint
    ) async throws {
        self.clock = clock
        (self.root, self.stores, self.extensions, self.environment) = (root, stores, extensions, environment)
        self.limits = limits
        let layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        try layout.prepare()
        let variables = [
            "HOME": root + "/home", "XDG_DATA_DIRS": root + "/usr/share", "DOCENT_CHANGE_LIMIT": "off",
            "DOCENT_DELETION_GRACE_SECONDS": "0",
        ]
        database = try HostDatabase(directory: layout.dataDirectory.text)
        var given = HostEnvironment(
            configuration: DaemonConfiguration(
                environment: variables.merging(environment) { $1 }, ownProgram: root + "/usr/bin/docentd"),
            layout: layout, database: database, secrets: KnownSecrets(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in extensions }
        given.inspector = TestInstallation.inspector(root)
        given.clock = clock
        given.limits = limits
        given.crash = crash
        given.signInCrash = signInCrash
        services = try await HostAssembly(given)
        services.changes.follow { [weak self] in self?.sessions.withLock { $0 } ?? [] }
        await services.prepare()
    }

    private func ending<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    private func end() async {
        for session in sessions.withLock({ $0 }) { end(session) }
        await services.remote.queue.cancelAll { _ in true }
        await services.end()
        clock.end()
        // The database closes with its last user: the work of a client may still be writing.
    }

    // MARK: Providers

    /// The documents of a provider.
    package func store(_ kind: TestProviderKind) -> TestStore {
        guard let store = stores[kind] else { preconditionFailure("Every kind has a store.") }
        return store
    }

    /// Ends a provider in the middle of its calls.
    package func kill(_ kind: TestProviderKind) { extensions.kill(kind.identifier) }

    // MARK: Clients

    /// A session of a client.
    package func session(_ principal: Principal = writer) -> Session {
        let session = Session(
            principal: principal, executable: nil, lifeline: ConnectionIdentifier(rawValue: Self.connections.next()))
        sessions.withLock { $0.append(session) }
        return session
    }

    /// A client with a session.
    package func client(_ principal: Principal = writer) -> TestClient { TestClient(session(principal), services) }

    /// Ends a session as the daemon does when its client has disconnected.
    package func end(_ session: Session) {
        sessions.withLock { $0.removeAll { $0 === session } }
        services.sessionEnded(session)
    }

    /// Gives a client a right.
    @discardableResult
    package func grant(
        _ key: ItemKey, _ access: AccessLevel = .readWrite, to principal: Principal = writer
    ) async throws -> Grant {
        try await services.grantStore.record(principal, key, access, origin: .open)
    }

    // MARK: Files

    /// The names of files in a folder of the data directory and below, without the database.
    package func files(in folder: String) -> [String] {
        let path = root + "/data/" + folder
        guard let walk = FileManager.default.enumerator(atPath: path) else { return [] }
        return walk.compactMap { $0 as? String }.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// Replaces the content of one of those files.
    package func damage(_ name: String, in folder: String) throws {
        let file = URL(filePath: root + "/data/" + folder + "/" + name)
        try Data(repeating: 0x21, count: try Data(contentsOf: file).count).write(to: file)
    }

    private static let connections = Numbers()
}

/// Unique numbers.
private final class Numbers: Sendable {
    private let last = Mutex<UInt64>(1 << 40)

    func next() -> UInt64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
