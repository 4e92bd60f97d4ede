package import ExtensionManifest
import FoundationEssentials

/// The directories of one run of a provider. They are below the directory of a case, so that nothing of the user's is
/// touched.
package struct RunPlaces: Sendable {
    /// The directory of the case.
    package let directory: String
    /// The directory in place of `XDG_RUNTIME_DIR`.
    package let runtimeParent: String

    /// Creates the paths below a directory.
    ///
    /// - Parameter runtimeParent: a path that is short enough for a socket in it, if there is to be one.
    package init(_ directory: String, runtimeParent: String) {
        self.directory = directory
        self.runtimeParent = runtimeParent
    }

    /// The home directory of the provider.
    package var home: String { directory + "/home" }
    /// The data directory of a host.
    package var data: String { home + "/.local/share/docent" }
    /// The directory of sockets.
    package var runtime: String { runtimeParent + "/docent" }
    /// The log of a daemon.
    package var log: String { directory + "/log" }

    /// Creates the directories, and what a manifest asks for in the home: a copy from a directory that stands for the
    /// home, else an empty folder. After the first call, nothing is created where a provider may have written.
    ///
    /// - Parameter source: the directory that stands for the home, or nil.
    /// - Throws: an error of the file system.
    package func make(for description: ProviderDescription, copying source: String? = nil) throws {
        let files = FileManager.default
        let isFirst = !files.fileExists(atPath: data)
        for path in [home, data] { try files.createDirectory(atPath: path, withIntermediateDirectories: true) }
        if isFirst { try makeHome(for: description, copying: source) }
        try files.createDirectory(
            atPath: runtimeParent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func makeHome(for description: ProviderDescription, copying source: String?) throws {
        let files = FileManager.default
        let asked = description.extensions.map(\.entitlements).flatMap { $0.homeReadWrite + $0.homeReadOnly }
        // Outer folders come first, so that none of them exists already as an empty folder.
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
    }
}
