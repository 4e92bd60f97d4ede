import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import Synchronization
import Varlink

/// The socket of one client. It is in a separate folder, which the sandbox shows, and stays there when the daemon
/// restarts (D3).
///
/// The daemon's socket for a client lasts only as long as the call that asked for it; the folder holds a link to it
/// under a stable name. A daemon runs while a sandbox runs, because the client could not start one (D2), unless the
/// user has stopped it. The folder then has a mark that says so, until the user's next command has started another
/// daemon.
final class ClientSocket: Sendable {
    let folder: String
    private let keeping: Task<Void, Never>
    /// Marks the folder as in use.
    private let lock: RunFolder

    /// The path on this machine at which the client finds it.
    var path: String { folder + "/docent.sock" }

    private init(_ lock: RunFolder, keeping: Task<Void, Never>) {
        folder = lock.path
        self.lock = lock
        self.keeping = keeping
    }

    /// Makes the daemon listen for a client.
    ///
    /// - Parameter renewed: called after another daemon has taken over.
    /// - Throws: ``DocumentsError``.
    static func open(
        _ client: String, administrator: DocumentsClient, renewed: @escaping @Sendable () async -> Void
    ) async throws -> ClientSocket {
        let (folders, announce) = AsyncThrowingStream.makeStream(of: RunFolder.self)
        let keeping = Task {
            let made = Mutex<String?>(nil)
            while !Task.isCancelled {
                do {
                    try await administrator.follow(
                        AdministrationInterface.ListenForClient.self, .init(client: client), attempts: 1
                    ) { reply in
                        if let folder = made.withLock({ $0 }) {
                            try publish(reply.path, in: folder)
                            Task { await renewed() }
                        } else {
                            let folder = try makeFolder(beside: reply.path)
                            made.withLock { $0 = folder.path }
                            try publish(reply.path, in: folder.path)
                            announce.yield(folder)
                        }
                    }
                } catch {
                    guard let folder = made.withLock({ $0 }) else { return announce.finish(throwing: error) }
                    if administrator.isStopped { noteStopped(in: folder) }
                }
                try? await Task.sleep(for: .milliseconds(200))
            }
            announce.finish()
        }
        do {
            for try await folder in folders { return ClientSocket(folder, keeping: keeping) }
        } catch {
            keeping.cancel()
            throw error
        }
        throw CancellationError()
    }

    /// Closes it. The daemon then no longer serves the client.
    func close() {
        keeping.cancel()
        lock.remove()
    }

    /// A client with this identity, outside its sandbox.
    func client(environment: [String: String]) -> DocumentsClient {
        var configuration = DocumentsClient.Configuration()
        configuration.environment = environment.merging(["DOCENT_SOCKET": path]) { _, new in new }
        configuration.startsDaemon = false
        return DocumentsClient(configuration)
    }

    private static func makeFolder(beside socket: String) throws -> RunFolder {
        let parent = socket.split(separator: "/").dropLast().joined(separator: "/")
        // Folders of runs that were killed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/" + parent)) ?? []
        for name in names where name.hasPrefix("c-") { RunFolder(locking: "/\(parent)/\(name)")?.remove() }
        // A socket's address holds 107 bytes, so the name is short.
        for _ in 0..<64 {
            let folder = "/\(parent)/c-" + String(UInt32.random(in: 0..<0x100_0000), radix: 16)
            if mkdir(folder, 0o700) == 0, let locked = RunFolder(locking: folder) { return locked }
            // The name is taken, or another run has just cleaned it up.
            guard [EEXIST, ENOENT, EWOULDBLOCK].contains(errno) else { break }
        }
        throw DocumentsError(
            .unavailable,
            "A folder for the client's socket cannot be created in /\(parent): \(String(cString: strerror(errno))).",
            suggestion: "Check that the runtime directory is yours and has space.")
    }

    private static func publish(_ socket: String, in folder: String) throws {
        let new = folder + "/.new"
        unlink(new)
        guard link(socket, new) == 0, rename(new, folder + "/docent.sock") == 0 else {
            throw DocumentsError(
                .unavailable, "The client's socket cannot be put into its folder: \(String(cString: strerror(errno))).",
                suggestion: "Check that the runtime directory \(folder) is on an ordinary file system.")
        }
        unlink(SocketLocation.stoppedMark(beside: folder + "/docent.sock"))
    }

    // A mark for the client, which sees only this folder.
    private static func noteStopped(in folder: String) {
        let file = Glibc.open(
            SocketLocation.stoppedMark(beside: folder + "/docent.sock"),
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if file >= 0 { Glibc.close(file) }
    }
}
