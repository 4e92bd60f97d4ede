import Glibc

/// What `--allow session-bus` and `--allow display` show: single sockets, never a folder of them.
enum AllowedSockets {
    /// The mounts, and the variables that name them inside the sandbox.
    ///
    /// - Parameters:
    ///   - environment: the user's environment.
    ///   - runtime: the path of the runtime directory inside.
    ///   - exists: whether a path exists.
    static func find(
        _ allowances: Set<ClientAllowance>, environment: [String: String], runtime: String,
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> (mounts: [ClientMount], variables: [String: String]) {
        var mounts: [ClientMount] = []
        var variables: [String: String] = [:]
        let own = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        func show(_ path: String, as target: String) -> Bool {
            guard exists(path) else { return false }
            mounts.append(ClientMount(path, at: target))
            return true
        }
        if allowances.contains(.sessionBus), show(busPath(environment, own), as: runtime + "/bus") {
            variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(runtime)/bus"
        }
        if allowances.contains(.display) {
            let wayland = environment["WAYLAND_DISPLAY"] ?? "wayland-0"
            if show(wayland.hasPrefix("/") ? wayland : "\(own)/\(wayland)", as: runtime + "/wayland-0") {
                variables["WAYLAND_DISPLAY"] = "wayland-0"
            }
            if let number = environment["DISPLAY"].flatMap(displayNumber) {
                _ = show("/tmp/.X11-unix/X\(number)", as: "/tmp/.X11-unix/X\(number)")
                let authority = environment["XAUTHORITY"] ?? (environment["HOME"] ?? "") + "/.Xauthority"
                if show(authority, as: runtime + "/xauthority") { variables["XAUTHORITY"] = runtime + "/xauthority" }
            }
        }
        return (mounts, variables)
    }

    private static func busPath(_ environment: [String: String], _ own: String) -> String {
        let prefix = "unix:path="
        guard let address = environment["DBUS_SESSION_BUS_ADDRESS"], address.hasPrefix(prefix) else {
            return own + "/bus"
        }
        return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
    }

    /// The number in `:0` or `unix:0.0`; nil for a display of another machine.
    static func displayNumber(_ display: String) -> String? {
        let parts = display.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix" else { return nil }
        let number = parts[1].prefix { $0.isASCII && $0.isNumber }
        return number.isEmpty ? nil : String(number)
    }
}
