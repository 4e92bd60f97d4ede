package import DocentInterfaces
import Glibc

/// What a client's environment says of its daemon, to be compared with what the daemon serves: else a program with another environment
/// silently gets the data of whoever started the daemon.
package struct DaemonExpectation: Sendable, Hashable {
    /// How a daemon differs.
    package enum Difference: Sendable, Hashable {
        /// It serves other data.
        case data(own: String, served: String)
        /// It does not look where this program's manifests lie.
        case manifests(String)
        /// It is another version than this program; whether an older one.
        case version(own: String, served: String, isOlder: Bool)
    }

    /// The data directory; nil when none can be told.
    package let dataDirectory: String?
    /// The directories in which manifests are looked for.
    package let manifests: [String]
    /// The version that the daemon has to have; nil: any that understands the calls.
    package let version: String?

    /// Reads the variables as the daemon does (`StorageLayout`, `ManifestSearchPath`).
    package init(
        environment: [String: String], version: String? = nil, workingDirectory: String = Self.workingDirectory()
    ) {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? Self.plain($0) : nil }
        }
        func list(_ name: String) -> [String] {
            (environment[name] ?? "").split(separator: ":").map(String.init)
        }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
        dataDirectory = data.map { $0 + "/docent" }
        let system = list("XDG_DATA_DIRS").filter { $0.hasPrefix("/") }.map(Self.plain)
        manifests =
            list("DOCENT_MANIFEST_PATH").map { Self.plain($0.hasPrefix("/") ? $0 : workingDirectory + "/" + $0) }
            + (data.map { [$0] } ?? []).map { $0 + "/docent/manifests" }
            + (system.isEmpty ? ["/usr/local/share", "/usr/share"] : system).map { $0 + "/docent/manifests" }
        self.version = version
    }

    /// How a daemon differs from this; nil when it does not.
    ///
    /// - Parameters:
    ///   - isSame: whether two paths name one directory.
    ///   - hasManifests: whether there is anything in a directory that the daemon would look at.
    package func difference(
        from serving: Wire.Serving, isSame: (String, String) -> Bool = Self.isSame,
        hasManifests: (String) -> Bool = Self.hasManifests
    ) -> Difference? {
        if let dataDirectory, !isSame(dataDirectory, serving.dataDirectory) {
            return .data(own: dataDirectory, served: serving.dataDirectory)
        }
        if let version, version != serving.version {
            return .version(
                own: version, served: serving.version, isOlder: Self.numbers(serving.version) < Self.numbers(version))
        }
        // A daemon that looks in more places than this program is none of another user's.
        let missing = manifests.first { own in
            hasManifests(own) && !serving.manifests.contains { isSame($0, own) }
        }
        return missing.map(Difference.manifests)
    }

    // MARK: Looking

    /// The process's working directory, or `/`.
    package static func workingDirectory() -> String {
        guard let buffer = getcwd(nil, 0) else { return "/" }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// Whether two paths name one directory, by their text or by what lies there.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        if plain(one) == plain(other) { return true }
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// Whether a directory has files in it that may be manifests.
    package static func hasManifests(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".plist") || name.hasSuffix(".json") { return true }
        }
        return false
    }

    // Without a slash at the end, empty names and dots.
    private static func plain(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    private struct Numbers: Comparable {
        let all: [Int]

        static func < (one: Numbers, other: Numbers) -> Bool { one.all.lexicographicallyPrecedes(other.all) }
    }

    private static func numbers(_ version: String) -> Numbers {
        Numbers(all: version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 })
    }
}

extension DaemonExpectation.Difference {
    /// What a person is told, with the ways out.
    package func error(socket: String) -> DocumentsError {
        let own = "Give this program an XDG_RUNTIME_DIR of its own"
        return switch self {
        case .data(let expected, let served):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) serves the data in \(served), and this program is set to \(expected).",
                suggestion:
                    "Set XDG_DATA_HOME as it was when the daemon was started, or stop that daemon with `docent daemon stop` "
                    + "and try again. \(own) to have both.")
        case .manifests(let directory):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) was started with another environment: it does not look for providers in "
                    + "\(directory), as this program does.",
                suggestion:
                    "Stop it with `docent daemon stop` and try again: the next one looks there. \(own) to have both.")
        case .version(let expected, let served, _):
            DocumentsError(
                .conflict, "The daemon is version \(served), and this program is version \(expected).",
                suggestion:
                    "Stop it with `docent daemon stop` when nobody needs it, and try again with the newer program.")
        }
    }
}
