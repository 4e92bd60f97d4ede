/// The environment of a sandboxed program: the variables listed here, and those of `--setenv`. Pure.
package enum ClientEnvironment {
    /// Variables that are passed on unchanged, in addition to `LC_*`.
    static let inherited: Set<String> = [
        "COLORTERM", "COLUMNS", "LANG", "LANGUAGE", "LINES", "LOGNAME", "NO_COLOR", "TERM", "TZ", "USER",
    ]
    /// Variables of a graphical session, passed on only with `--allow display`.
    static let graphical: Set<String> = [
        "DESKTOP_SESSION", "DISPLAY", "GDK_BACKEND", "GTK_THEME", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "XCURSOR_SIZE",
        "XCURSOR_THEME", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE",
    ]

    /// - Parameters:
    ///   - own: the environment of `docent run`.
    ///   - home, runtime: both directories as seen inside; the socket is `docent/docent.sock` in the second.
    ///   - search: program folders that come before the system's.
    ///   - view: the folder inside with what was granted, if there is one.
    ///   - given: from `--setenv`; overrides everything but the socket and the view.
    package static func make(
        own: [String: String], home: String, runtime: String, search: [String] = [],
        allowances: Set<ClientAllowance> = [], view: String? = nil, given: [String: String] = [:]
    ) -> [String: String] {
        var result = own.filter { name, _ in
            inherited.contains(name) || name.hasPrefix("LC_")
                || (allowances.contains(.display) && graphical.contains(name))
        }
        result["HOME"] = home
        let standard = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games"]
        result["PATH"] = (search.filter { !standard.contains($0) } + standard).joined(separator: ":")
        result["TMPDIR"] = "/tmp"
        result["XDG_RUNTIME_DIR"] = runtime
        result["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share"
        result["SHELL"] = "/bin/sh"
        result.merge(given) { _, new in new }
        result["DOCENT_VIEW_FOLDER"] = view
        result["DOCENT_SOCKET"] = runtime + "/docent/docent.sock"
        return result
    }
}
