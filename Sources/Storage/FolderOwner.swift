import CLinux
import Glibc

/// Who owns one of Docent's folders, and the messages when it is another user: usually because `sudo docent` ran as
/// root in a user's home.
enum FolderOwner {
    /// Refuses to create a folder as root among those of an ordinary user, who could not use it later.
    ///
    /// - Throws: `.denied`.
    static func requireOwn(_ path: OwnPath, userID: UInt32 = geteuid()) throws {
        guard userID == 0 else { return }
        var existing = path.text
        var status = stat()
        while stat(existing, &status) != 0 {
            guard let slash = existing.lastIndex(of: "/"), slash > existing.startIndex else { return }
            existing = String(existing[..<slash])
        }
        guard status.st_uid != 0 else { return }
        throw FileSystemError(
            .denied, sentence(existing, owner: status.st_uid, userID: userID), remedy: remedy(userID: userID),
            path: existing)
    }

    /// The message.
    static func sentence(_ path: String, owner: UInt32, userID: UInt32 = geteuid()) -> String {
        "The folder \"\(path)\" belongs to \(name(owner)), but this program runs as \(name(userID))."
    }

    /// The remedy; it never suggests removing existing files.
    static func remedy(userID: UInt32 = geteuid()) -> String {
        userID == 0
            ? "Run it as that user, without sudo. If root is to have documents of its own, set HOME to root's folder."
            : "Run it as that user, or set HOME and XDG_DATA_HOME to folders of yours."
    }

    /// `ada (user 1000)`, or the number alone.
    private static func name(_ user: UInt32) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else {
            return "user \(user)"
        }
        return "\(String(cString: name)) (user \(user))"
    }
}
