import Documents
import ExtensionManifest

/// An installation under its own prefix. Its providers are found only if `XDG_DATA_DIRS` includes that prefix.
enum OwnPrefix {
    /// The folder of this installation's manifests, if it is not on the search path.
    ///
    /// - Parameters:
    ///   - programFolder: the folder of this program.
    ///   - hasManifests: whether a folder contains manifests.
    static func unsearchedManifests(
        _ environment: [String: String], programFolder: String?,
        hasManifests: (String) -> Bool = { DaemonExpectation.hasManifests($0) }
    ) -> String? {
        guard let programFolder, programFolder.hasSuffix("/bin") else { return nil }
        let manifests = programFolder.dropLast(4) + "/share/docent/manifests"
        let search = ManifestSearchPath(environment: ManifestEnvironment(variables: environment))
        guard hasManifests(String(manifests)),
            !search.directories.contains(where: { DaemonExpectation.isSame($0.path, String(manifests)) })
        else { return nil }
        return String(manifests)
    }

    /// The commands that put the manifests on the search path.
    static func remedy(_ manifests: String) -> String {
        let share = manifests.hasSuffix("/docent/manifests") ? String(manifests.dropLast(17)) : manifests
        return "Run `export XDG_DATA_DIRS=\(share):${XDG_DATA_DIRS:-/usr/local/share:/usr/share}`, "
            + "then `docent daemon stop`."
    }
}
