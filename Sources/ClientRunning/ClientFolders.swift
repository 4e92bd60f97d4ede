import CLinux
import Documents
import FoundationEssentials
import Glibc

/// The folders of one client on this machine: its home, which stays, and one folder per run, which is removed with it.
struct ClientFolders: Sendable {
    let client: String
    private let parent: String
    /// `$XDG_DATA_HOME/docent/Clients/ID`.
    let root: String

    var home: String { root + "/home" }
    var runs: String { root + "/Runs" }

    /// - Parameter data: the daemon's data directory.
    init(client: String, data: String) {
        self.client = client
        parent = data + "/Clients"
        root = "\(parent)/\(client)"
    }

    /// Creates missing folders. Only this user can access them.
    ///
    /// - Throws: ``DocumentsError``.
    func make() throws {
        for folder in [parent, root, home, runs] { try Self.make(folder) }
    }

    /// Creates a folder for a run and locks it.
    func makeRun() throws -> RunFolder {
        let path = runs + "/" + UUID().uuidString
        try Self.make(path)
        guard let run = RunFolder(locking: path) else {
            throw DocumentsError(.failed, "\(path) cannot be locked.")
        }
        return run
    }

    /// The folders of runs that ended without cleaning up, locked for the caller.
    func abandonedRuns() -> [RunFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: runs)) ?? []
        return names.sorted().compactMap { RunFolder(locking: runs + "/" + $0) }
    }

    static func make(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw DocumentsError(.noSpace, "\(folder) cannot be created.", suggestion: "Check that its disk has space.")
        }
        chmod(folder, 0o700)
    }
}

/// The folder of one run, locked for the lifetime of the value.
final class RunFolder: Sendable {
    let path: String
    private let lock: CInt

    /// nil if another process holds the lock, or if the path is not a folder.
    init?(locking path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard clinux_flock(descriptor, CLINUX_LOCK_EX | CLINUX_LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.path = path
        lock = descriptor
    }

    deinit { close(lock) }

    /// Removes the folder and its contents.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
