package import ExtensionManifest
import FoundationEssentials

/// Where the things of one run of a provider lie: below the directory of a case, so that nothing of the user's is touched.
package struct RunPlaces: Sendable {
    /// The directory of the case.
    package let directory: String
    /// What stands for `XDG_RUNTIME_DIR`.
    package let runtimeParent: String

    /// Below a directory.
    ///
    /// - Parameter runtimeParent: with a path short enough for a socket in it, if there is to be one.
    package init(_ directory: String, runtimeParent: String) {
        self.directory = directory
        self.runtimeParent = runtimeParent
    }

    /// The home that the provider is told of.
    package var home: String { directory + "/home" }
    /// The data directory of a host.
    package var data: String { home + "/.local/share/docent" }
    /// Where sockets lie.
    package var runtime: String { runtimeParent + "/docent" }
    /// What a daemon logs.
    package var log: String { directory + "/log" }

    /// Makes them, with the folders of the home that a manifest asks for.
    ///
    /// - Throws: an error of the file system.
    package func make(for description: ProviderDescription) throws {
        let asked = description.extensions.map(\.entitlements).flatMap { $0.homeReadWrite + $0.homeReadOnly }
        for path in [home, data] + asked.map({ home + "/" + $0 }) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(
            atPath: runtimeParent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
