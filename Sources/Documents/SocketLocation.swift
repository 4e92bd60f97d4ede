import Glibc

/// Where a client finds its daemon (DESIGN section 7, D4).
package struct SocketLocation: Sendable, Hashable {
    /// The path of the socket.
    package let path: String
    /// Whether it was made for this client alone, by `DOCENT_SOCKET`; such a client never starts a daemon (D2).
    package let isGiven: Bool

    /// `DOCENT_SOCKET`, else `docent.sock` in ``runtimeDirectory(_:)``.
    package init(environment: [String: String]) {
        if let given = environment["DOCENT_SOCKET"], !given.isEmpty {
            path = given
            isGiven = true
            return
        }
        isGiven = false
        path = Self.runtimeDirectory(environment) + "/docent.sock"
    }

    /// Whether the daemon of this socket was stopped by its user, and none was started since: a mark beside the socket says so, as
    /// `StorageLayout` names it.
    package var isStopped: Bool { access(Self.stoppedMark(beside: path), F_OK) == 0 }

    /// That mark's path.
    package static func stoppedMark(beside socket: String) -> String {
        (socket.lastIndex(of: "/").map { String(socket[...$0]) } ?? "") + "stopped"
    }

    /// The directory of the socket and its lock, chosen as the daemon chooses it (`StorageLayout`): `$XDG_RUNTIME_DIR`, then
    /// `/run/user/UID`, the first that is the user's own and short enough, else one below the state home.
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

    // 107 bytes fit a socket's address; the daemon binds under a name of up to 24 first.
    private static func fits(_ directory: String) -> Bool { directory.utf8.count + 1 + 24 <= 107 }

    private static func isPrivateDirectory(_ path: String, of user: uid_t) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
            && status.st_mode & 0o022 == 0
    }
}
