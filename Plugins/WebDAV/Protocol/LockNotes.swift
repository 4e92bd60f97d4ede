import Glibc
import Synchronization

/// Remembers the locks that we hold on a server, a small file for each, so that one which a killed process left behind
/// is ended at once and not waited for.
///
/// Ending a lock of ours that is in use after all does no harm: what is done under it names it, and is refused without
/// it.
final class LockNotes: Sendable {
    private let directory: String
    /// Files of locks that this process itself holds.
    private let held = Mutex<Set<String>>([])

    /// - Parameter directory: Where the domain may keep files; made if needed.
    init(directory: String) { self.directory = directory + "/.org.docent.WebDAV.locks" }

    /// This process has a lock now. Failing to note it only means that it is waited for after a kill.
    func add(_ token: String, on url: String) {
        let path = path(url)
        _ = held.withLock { $0.insert(path) }
        _ = write(token, to: path)
    }

    /// This process is done with its lock.
    ///
    /// - Parameter isEnded: whether the server has said so; otherwise it is ended when the place is to be locked again.
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

    /// What our locks are marked with, the same for all processes of this domain: by it a lock of ours is known whose
    /// token got lost. Another one each time where nothing can be kept.
    var owner: String {
        let path = directory + "/owner"
        if let known = read(path), known.hasPrefix(Self.mark), known.utf8.count < 64 { return known }
        let fresh = Self.mark + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return write(fresh, to: path) ? fresh : Self.mark
    }

    private static let mark = "Docent "

    /// The token of a lock that was taken here and not ended, by a process that was killed or an attempt that was cut.
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

    // FNV-1a; two places with the same sum only end each other's notes.
    private func path(_ url: String) -> String {
        let sum = url.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return directory + "/" + String(sum, radix: 16)
    }
}
