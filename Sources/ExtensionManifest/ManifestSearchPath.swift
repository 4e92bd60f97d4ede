/// The directories that are searched for manifests, in order of precedence.
package struct ManifestSearchPath: Sendable, Hashable {
    /// Who put a directory on the path.
    package enum Origin: String, Sendable, Codable {
        /// `DOCENT_MANIFEST_PATH`: set for this daemon.
        case explicit
        /// `$XDG_DATA_HOME`: the user's own.
        case user
        /// `$XDG_DATA_DIRS`: the administrator's, if root owns it.
        case system
    }

    /// One directory of the path.
    package struct Directory: Sendable, Hashable {
        /// Absolute path.
        package let path: String
        /// Who put it there.
        package let origin: Origin
        /// The library directory that belongs to it, or nil for a directory without a known layout.
        package let libraryDirectory: String?

        init(path: String, origin: Origin, libraryDirectory: String?) {
            self.path = path
            self.origin = origin
            self.libraryDirectory = libraryDirectory
        }

        /// Creates a directory. The library directory follows from the layout `<prefix>/share/docent/manifests` ↔
        /// `<prefix>/lib/docent/providers`, or the user's `docent/manifests` ↔ `docent/providers`.
        package init(path: String, origin: Origin) {
            self.path = path
            self.origin = origin
            let tail = "/docent/manifests"
            guard path.hasSuffix(tail) else {
                libraryDirectory = nil
                return
            }
            let data = String(path.dropLast(tail.count))
            if origin == .user {
                libraryDirectory = data + "/docent/providers"
            } else {
                libraryDirectory = data.hasSuffix("/share") ? data.dropLast(6) + "/lib/docent/providers" : nil
            }
        }
    }

    /// The directories in order of precedence, each once.
    package let directories: [Directory]

    /// Creates a path from directories.
    package init(directories: [Directory]) {
        var seen: Set<String> = []
        self.directories = directories.filter { seen.insert($0.path).inserted }
    }

    /// Creates the default path: `DOCENT_MANIFEST_PATH`, `$XDG_DATA_HOME/docent/manifests`, each of `$XDG_DATA_DIRS`.
    package init(environment: ManifestEnvironment) {
        self.init(
            directories: environment.manifestPath.map { Directory(path: $0, origin: .explicit) }
                + [Directory(path: Paths.join(environment.dataHome, "docent/manifests"), origin: .user)]
                + environment.dataDirectories.map {
                    Directory(path: Paths.join($0, "docent/manifests"), origin: .system)
                })
    }
}
