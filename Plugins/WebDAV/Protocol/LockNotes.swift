import Glibc
import Synchronization

/// Records the locks that we hold on a server, in a small file for each. A lock that a killed process left can then be
/// ended at once, without waiting for it to expire.
///
/// Ending one of our locks that is still in use is harmless: the requests made under it name it, and are refused
/// without it.
final class LockNotes: Sendable {
    private let directory: String
    /// Files of locks that this process itself holds.
    private let held = Mutex<Set<String>>([])

    /// - Parameter directory: The domain's storage, which is made if needed.
    init(directory: String) { self.directory = directory + "/.org.docent.WebDAV.locks" }

    /// This process holds a lock now. If the record cannot be written, the lock has to expire after a kill.
    func add(_ token: String, on url: String) {
        let path = path(url)
        _ = held.withLock { $0.insert(path) }
        _ = write(token, to: path)
    }

    /// This process has released its lock.
    ///
    /// - Parameter isEnded: Whether the server has confirmed it. Otherwise the lock is ended before the place is locked
    ///   again.
    func remove(_ url: String, isEnded: Bool) {
        let path = path(url)
        if isEnded { unlink(path) }
        _ = held.withLock { $0.remove(path) }
    }

    /// Whether this process itself holds a lock there.
    func holds(_ url: String) -> Bool {
        let path = path(url)
        return held.withLock { $0.contains(path) }
    }

    /// The owner text of our locks, the same in all processes of this domain. It identifies a lock of ours when the
    /// token is lost. If nothing can be stored, it has no random part.
    var owner: String {
        let path = directory + "/owner"
        if let known = read(path), known.hasPrefix(Self.mark), known.utf8.count < 64 { return known }
        let fresh = Self.mark + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return write(fresh, to: path) ? fresh : Self.mark
    }

    private static let mark = "Docent "

    /// The token of a lock that was taken here and not ended, by a killed process or an interrupted attempt.
    func left(on url: String) -> String? {
        let path = path(url)
        guard !held.withLock({ $0.contains(path) }) else { return nil }
        return read(path).flatMap { $0.hasPrefix("<") && $0.hasSuffix(">") ? $0 : nil }
    }

    private func write(_ text: String, to path: String) -> Bool {
        var folder = ""
        for part in directory.split(separator: "/") {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            unlink(path)
            return false
        }
        return true
    }

    private func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    // FNV-1a. Two places with the same sum only overwrite each other's records.
    private func path(_ url: String) -> String {
        let sum = url.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return directory + "/" + String(sum, radix: 16)
    }
}
