package import ExtensionManifest
import FoundationEssentials

/// Where the things of one run of a provider lie: below the directory of a case, so that nothing of the user's is
/// touched.
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

    /// Makes them, with what a manifest asks for of the home: a copy of what is there in a directory that stands for
    /// it, else an empty folder. What was made before stays as it is.
    ///
    /// - Parameter source: the directory that stands for the home, or nil.
    /// - Throws: an error of the file system.
    package func make(for description: ProviderDescription, copying source: String? = nil) throws {
        let files = FileManager.default
        for path in [home, data] { try files.createDirectory(atPath: path, withIntermediateDirectories: true) }
        let asked = description.extensions.map(\.entitlements).flatMap { $0.homeReadWrite + $0.homeReadOnly }
        // What holds others comes first, so that none of them is there already as an empty folder.
        for name in Set(asked).sorted() {
            let target = home + "/" + name
            guard !files.fileExists(atPath: target) else { continue }
            guard let original = source.map({ $0 + "/" + name }), files.fileExists(atPath: original) else {
                try files.createDirectory(atPath: target, withIntermediateDirectories: true)
                continue
            }
            let parent = URL(filePath: target).deletingLastPathComponent().path
            try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try files.copyItem(atPath: original, toPath: target)
        }
        try FileManager.default.createDirectory(
            atPath: runtimeParent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
