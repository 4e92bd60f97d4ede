import Glibc

/// The locations that matter for manifests, read once from environment variables.
package struct ManifestEnvironment: Sendable {
    /// The user's home directory, absolute.
    package let home: String
    /// `$XDG_DATA_HOME`, or its default; absolute.
    package let dataHome: String
    /// `$XDG_DATA_DIRS`, or its default; absolute paths only.
    package let dataDirectories: [String]
    /// The directories of `DOCENT_MANIFEST_PATH`, made absolute.
    package let manifestPath: [String]
    /// The directories of `DOCENT_LIBRARY_PATH`, made absolute.
    package let libraryPath: [String]
    /// Directories that no entitlement may name, contain or be inside: Docent's own and the user's keys.
    package let protectedDirectories: [String]

    /// Reads the variables.
    ///
    /// - Parameters:
    ///   - variables: the environment of the process.
    ///   - currentDirectory: the base of relative entries in the two `DOCENT_` variables.
    package init(
        variables: [String: String], currentDirectory: String = ManifestEnvironment.workingDirectory()
    ) {
        // An XDG variable with a relative path counts as unset (XDG Base Directory Specification).
        func absolute(_ name: String) -> String? {
            variables[name].flatMap { Paths.isAbsolute($0) ? Paths.normalized($0) : nil }
        }
        func list(_ name: String) -> [String] {
            (variables[name] ?? "").split(separator: ":").compactMap { entry in
                Paths.normalized(
                    Paths.isAbsolute(String(entry)) ? String(entry) : Paths.join(currentDirectory, String(entry)))
            }
        }
        let home = absolute("HOME") ?? Self.homeOfUser()
        self.home = home
        dataHome = absolute("XDG_DATA_HOME") ?? Paths.join(home, ".local/share")
        let directories = (variables["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init)
            .filter { Paths.isAbsolute($0) }.compactMap { Paths.normalized($0) }
        dataDirectories = directories.isEmpty ? ["/usr/local/share", "/usr/share"] : directories
        manifestPath = list("DOCENT_MANIFEST_PATH")
        libraryPath = list("DOCENT_LIBRARY_PATH")
        let own = [
            dataHome, absolute("XDG_CONFIG_HOME") ?? Paths.join(home, ".config"),
            absolute("XDG_STATE_HOME") ?? Paths.join(home, ".local/state"),
            absolute("XDG_CACHE_HOME") ?? Paths.join(home, ".cache"),
        ].map { Paths.join($0, "docent") }
        let keys = [".ssh", ".gnupg"].map { Paths.join(home, $0) }
        protectedDirectories = own + keys + ["/proc", absolute("XDG_RUNTIME_DIR")].compactMap(\.self)
    }

    /// The process's working directory, or `/`.
    package static func workingDirectory() -> String {
        guard let buffer = getcwd(nil, 0) else { return "/" }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    private static func homeOfUser() -> String {
        getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
    }
}
