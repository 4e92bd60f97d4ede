package import DocentInterfaces
import Glibc

/// The daemon that a client's environment calls for, to compare with the one that answers. Without the comparison, a
/// program with another environment would silently get the data of whoever started the daemon.
package struct DaemonExpectation: Sendable, Hashable {
    /// How a daemon differs from the expectation.
    package enum Difference: Sendable, Hashable {
        /// It serves a different data directory.
        case data(own: String, served: String)
        /// It does not search this directory, which has manifests for this program.
        case manifests(String)
        /// It does not search this directory, which this program names for providers' libraries.
        case libraries(String)
        /// It takes another folder for the one for documents.
        case documents(own: String, served: String)
        /// Its version differs from this program's; `isOlder` says whether it is older.
        case version(own: String, served: String, isOlder: Bool)
    }

    /// The data directory; nil when the environment does not determine one.
    package let dataDirectory: String?
    /// The directories that are searched for manifests.
    package let manifests: [String]
    /// The directories that are searched for libraries in addition to those of the manifests.
    package let libraries: [String]
    /// The folder for documents.
    let documents: NamedDocuments
    /// The version that the daemon must have; nil accepts any that understands the calls.
    package let version: String?

    /// Reads the variables in the same way as the daemon (`StorageLayout`, `ManifestSearchPath`).
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
        func directories(_ name: String) -> [String] {
            // The daemon ignores those with "..", too.
            list(name).filter { !$0.split(separator: "/").contains("..") }
                .map { Self.plain($0.hasPrefix("/") ? $0 : workingDirectory + "/" + $0) }
        }
        manifests =
            directories("DOCENT_MANIFEST_PATH") + (data.map { [$0] } ?? []).map { $0 + "/docent/manifests" }
            + (system.isEmpty ? ["/usr/local/share", "/usr/share"] : system).map { $0 + "/docent/manifests" }
        libraries = directories("DOCENT_LIBRARY_PATH")
        documents = NamedDocuments(environment)
        self.version = version
    }

    /// How a daemon differs from the expectation; nil when it does not.
    ///
    /// - Parameters:
    ///   - isSame: whether two paths name the same directory.
    ///   - hasManifests: whether a directory contains manifests that the daemon would read.
    ///   - isFilled: whether a directory contains anything, such as libraries.
    package func difference(
        from serving: Wire.Serving, isSame: (String, String) -> Bool = Self.isSame,
        hasManifests: (String) -> Bool = Self.hasManifests, isFilled: (String) -> Bool = Self.isFilled
    ) -> Difference? {
        if let dataDirectory, !isSame(dataDirectory, serving.dataDirectory) {
            return .data(own: dataDirectory, served: serving.dataDirectory)
        }
        if let version, version != serving.version {
            return .version(
                own: version, served: serving.version, isOlder: Self.numbers(serving.version) < Self.numbers(version))
        }
        // A daemon that searches more directories than this program is acceptable.
        if let directory = manifests.first(where: { own in
            hasManifests(own) && !serving.manifests.contains { isSame($0, own) }
        }) {
            return .manifests(directory)
        }
        if let served = serving.libraries,
            let directory = libraries.first(where: { own in isFilled(own) && !served.contains { isSame($0, own) } })
        {
            return .libraries(directory)
        }
        // An environment that names no folder accepts every one.
        guard let own = documents.path, let served = serving.folders.map({ NamedDocuments($0) })?.folder,
            !isSame(own, served)
        else { return nil }
        return .documents(own: own, served: served)
    }

    // MARK: File system

    /// The process's working directory, or `/`.
    package static func workingDirectory() -> String {
        guard let buffer = getcwd(nil, 0) else { return "/" }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// Whether two paths name the same directory, by their text or by the file they lead to.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        if plain(one) == plain(other) { return true }
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// Whether a directory contains files that may be manifests.
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

    /// Whether a directory contains anything.
    package static func isFilled(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        // The directory itself and its parent.
        for _ in 0..<3 where readdir(directory) == nil { return false }
        return true
    }

    // Drops a trailing slash, empty components and ".".
    static func plain(_ path: String) -> String {
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
    /// The error to show, with what the user can do about it.
    package func error(socket: String) -> DocumentsError {
        let own = "To run both, give this program its own XDG_RUNTIME_DIR"
        return switch self {
        case .data(let expected, let served):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) serves the data in \(served), but this program is set to \(expected).",
                suggestion:
                    "Set XDG_DATA_HOME to its value when the daemon was started, or stop that daemon with `docent daemon stop` "
                    + "and try again. \(own).")
        case .manifests(let directory):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) was started in a different environment: it does not look for providers in "
                    + "\(directory), as this program does.",
                suggestion:
                    "Stop it with `docent daemon stop` and try again: the next one looks there. \(own).")
        case .libraries(let directory):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) was started in a different environment: it does not look for the libraries of "
                    + "providers in \(directory), as this program's DOCENT_LIBRARY_PATH says.",
                suggestion:
                    "Stop it with `docent daemon stop` and try again: the next one looks there. \(own).")
        case .documents(let expected, let served):
            DocumentsError(
                .conflict,
                "The daemon at \(socket) was started in a different environment: for it, the folder for documents is "
                    + "\(served); for this program it is \(expected).",
                suggestion:
                    "Set HOME, XDG_CONFIG_HOME and XDG_DOCUMENTS_DIR to their values when the daemon was started, or "
                    + "stop that daemon with `docent daemon stop` and try again. \(own).")
        case .version(let expected, let served, _):
            DocumentsError(
                .conflict, "The daemon is version \(served), and this program is version \(expected).",
                suggestion:
                    "When it is idle, stop it with `docent daemon stop`, and try again with the newer program.")
        }
    }
}
