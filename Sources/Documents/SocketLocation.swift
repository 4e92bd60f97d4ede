import Glibc

/// Where a client finds its daemon.
package struct SocketLocation: Sendable, Hashable {
    /// The path of the socket.
    package let path: String
    /// Whether `DOCENT_SOCKET` names it; a client with such a socket never starts a daemon.
    package let isGiven: Bool

    /// `DOCENT_SOCKET`, or `docent.sock` in ``runtimeDirectory(_:)``.
    package init(environment: [String: String]) {
        if let given = environment["DOCENT_SOCKET"], !given.isEmpty {
            path = given
            isGiven = true
            return
        }
        isGiven = false
        path = Self.runtimeDirectory(environment) + "/docent.sock"
    }

    /// Whether the user stopped this socket's daemon and none was started since. A mark beside the socket records it;
    /// `StorageLayout` uses the same name.
    package var isStopped: Bool { access(Self.stoppedMark(beside: path), F_OK) == 0 }

    /// The path of the mark.
    package static func stoppedMark(beside socket: String) -> String {
        (socket.lastIndex(of: "/").map { String(socket[...$0]) } ?? "") + "stopped"
    }

    /// The directory of the socket and its lock, chosen in the same way as by the daemon (`StorageLayout`): the first
    /// of `$XDG_RUNTIME_DIR` and `/run/user/UID` that belongs to the user and is short enough, otherwise a directory
    /// below the state home.
    package static func runtimeDirectory(_ environment: [String: String]) -> String {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        }
        let user = geteuid()
        for candidate in [absolute("XDG_RUNTIME_DIR"), "/run/user/\(user)"].compactMap(\.self)
        where fits(candidate + "/docent") && isPrivateDirectory(candidate, of: user) {
            return candidate + "/docent"
        }
        let state = (absolute("XDG_STATE_HOME") ?? (absolute("HOME") ?? "") + "/.local/state") + "/docent/run"
        return fits(state) ? state : "/tmp/docent-\(user)"
    }

    // A socket address has room for 107 bytes, and the daemon first binds under a name of up to 24 bytes.
    private static func fits(_ directory: String) -> Bool { directory.utf8.count + 1 + 24 <= 107 }

    private static func isPrivateDirectory(_ path: String, of user: uid_t) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
            && status.st_mode & 0o022 == 0
    }
}
