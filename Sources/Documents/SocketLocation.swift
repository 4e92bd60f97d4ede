import Glibc

/// Where a client finds its daemon (DESIGN section 7, D4).
package struct SocketLocation: Sendable, Hashable {
    /// The path of the socket.
    package let path: String
    /// Whether it was made for this client alone, by `DOCENT_SOCKET`; such a client never starts a daemon (D2).
    package let isGiven: Bool

    /// `DOCENT_SOCKET`, else `$XDG_RUNTIME_DIR/docent/docent.sock`, else the same below `/run/user/UID` if that is ours,
    /// else below the state home.
    package init(environment: [String: String]) {
        if let given = environment["DOCENT_SOCKET"], !given.isEmpty {
            path = given
            isGiven = true
            return
        }
        isGiven = false
        path = Self.runtimeDirectory(environment) + "/docent.sock"
    }

    /// The directory of the socket and its lock.
    package static func runtimeDirectory(_ environment: [String: String]) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return runtime + "/docent" }
        let user = "/run/user/\(getuid())"
        var status = stat()
        if stat(user, &status) == 0, status.st_uid == getuid() { return user + "/docent" }
        let home = environment["HOME"] ?? "/"
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        return state + "/docent/run"
    }
}
