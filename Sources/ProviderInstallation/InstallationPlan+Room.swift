import CommandConsole
import Documents
import ExtensionManifest
import FoundationEssentials
import Glibc

extension InstallationPlan {
    /// Refuses to shadow or replace what was installed in another way.
    ///
    /// - Returns: notes for the user.
    static func requireRoom(
        for paths: [String], of provider: String, _ before: InstallationRecord?, _ installed: InstalledProviders,
        _ environment: ManifestEnvironment
    ) throws(DocumentsError) -> [String] {
        let own = Set(before?.files.map(\.path) ?? [])
        for other in installed.allRecords() where other.provider != provider {
            if let path = other.files.map(\.path).first(where: { paths.contains($0) }) {
                throw DocumentsError(
                    .conflict, "\(FileNames.last(of: path)) belongs to \(other.provider), which is installed.",
                    suggestion: "Give your library another name, or run `docent provider uninstall \(other.provider)`.")
            }
        }
        for path in paths {
            var status = stat()
            guard lstat(installed.directory + "/" + path, &status) == 0 else { continue }
            guard own.contains(path), status.st_mode & S_IFMT == S_IFREG else {
                throw DocumentsError(
                    .conflict,
                    "\(installed.directory)/\(path) exists, but `docent provider install` did not put it there.",
                    suggestion: "Move it away, then install again.")
            }
        }
        return try requireNoOther(provider, own, installed, environment)
    }

    // The same provider, installed elsewhere: the administrator's must not be replaced, and a copy made by hand would
    // mix with this one.
    private static func requireNoOther(
        _ provider: String, _ own: Set<String>, _ installed: InstalledProviders, _ environment: ManifestEnvironment
    ) throws(DocumentsError) -> [String] {
        let discovery = ManifestDiscovery(reader: ManifestReader(environment: environment))
        let found = discovery.scan(searchPath: ManifestSearchPath(environment: environment))
        var others = found.providers.flatMap(\.extensions).map { ($0.path, $0.bundleIdentifier, $0.origin) }
        others += found.shadowed.map { ($0.path, $0.bundleIdentifier, $0.origin) }
        others += found.broken.compactMap { broken in
            broken.bundleIdentifier.map { (broken.path, $0, broken.origin) }
        }
        let ours = FileWork.canonical(installed.directory) ?? installed.directory
        var notes: [String] = []
        for (path, identifier, origin) in others
        where identifier.split(separator: ".").dropLast().joined(separator: ".") == provider {
            if origin == .explicit {
                notes.append(
                    "note: \(path), which DOCENT_MANIFEST_PATH names, is of the same provider and takes precedence.\n")
            } else if !path.hasPrefix(ours + "/manifests/") {
                throw DocumentsError(
                    .notPermitted, "\(provider) is installed for all users: \(path).",
                    suggestion: "Give your provider an identifier of its own.")
            } else if !own.contains("manifests/" + FileNames.last(of: path)) {
                throw DocumentsError(
                    .conflict, "\(path) is of the same provider, but `docent provider install` did not put it there.",
                    suggestion: "Move it and its library away, then install again.")
            }
        }
        return notes
    }
}
