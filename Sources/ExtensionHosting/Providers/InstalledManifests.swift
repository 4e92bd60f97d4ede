import ExtensionManifest
import Foundation

/// The manifests on the search path, read again only when one of them, or something that decides about them, changed.
struct InstalledManifests {
    /// The number of searches so far: as long as it stays, nothing has changed.
    private(set) var searches = 0
    private let searchPath: ManifestSearchPath
    private let libraryPath: [String]
    private let discovery: ManifestDiscovery
    private var result: DiscoveryResult?
    private var places: [Place] = []
    private var examined: [FileFingerprint] = []

    init(environment: ManifestEnvironment, inspector: FileInspector) {
        searchPath = ManifestSearchPath(environment: environment)
        libraryPath = environment.libraryPath
        discovery = ManifestDiscovery(reader: ManifestReader(environment: environment, inspector: inspector))
    }

    /// Searches again if anything changed, and returns the result. Blocks on the file system.
    mutating func current() -> DiscoveryResult {
        let places = presentPlaces()
        if let result, places == self.places, Self.fingerprints(result) == examined { return result }
        let found = discovery.scan(searchPath: searchPath)
        self.places = places
        examined = Self.fingerprints(found)
        result = found
        searches += 1
        return found
    }

    // Names, sizes and times of all manifests, and of the directories that may contain their libraries: cheap, and
    // enough to notice a change.
    private func presentPlaces() -> [Place] {
        var places: [Place] = []
        for directory in searchPath.directories {
            places.append(Place(directory.path))
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
            for name in names.sorted() where name.hasSuffix(".plist") || name.hasSuffix(".json") {
                places.append(Place(directory.path + "/" + name))
            }
            if let libraries = directory.libraryDirectory { places.append(Place(libraries)) }
        }
        return places + libraryPath.map(Place.init)
    }

    // Owner and permissions of libraries, of manifests and of all folders above them: files that others may change are
    // not used until that ends.
    private static func fingerprints(_ result: DiscoveryResult) -> [FileFingerprint] {
        result.examined.map(FileFingerprint.init)
    }

    /// A path, and the file or directory that it leads to.
    private struct Place: Hashable {
        let path: String
        var inode: UInt = 0
        var size = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            self.path = path
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            inode = UInt(status.st_ino)
            size = Int(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }
}
