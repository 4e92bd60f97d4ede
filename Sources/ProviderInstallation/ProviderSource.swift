package import Documents
import ExtensionManifest
import FoundationEssentials
import Glibc

/// Where the parts of a provider to be installed are: its manifests and its library.
package struct ProviderSource: Equatable {
    /// The manifests, ordered by name.
    package var manifests: [String]
    /// Directories that may contain the library, the likeliest first.
    var libraryDirectories: [String]
    /// The library that was given; nil for the one that the manifests name.
    package var library: String?

    /// Where builds put libraries, relative to the directory of a package.
    private static let buildDirectories = [
        ".build/debug", ".build/release", "build", "target/debug", "target/release",
    ]
    /// How many levels above a build its package may be.
    private static let heightLimit = 5

    /// Finds the parts around a path: a build directory, a library, a manifest, the directory of a package, or one that
    /// has everything.
    ///
    /// - Throws: ``DocumentsError`` `notFound` if the path or the manifests do not exist.
    package static func find(_ path: String) throws(DocumentsError) -> ProviderSource {
        guard let real = FileWork.canonical(path) else {
            throw DocumentsError(
                .notFound, path.isEmpty ? "The path is empty." : "\(path) does not exist.",
                suggestion: "Build first; then give the build directory, the library, or the package's directory.")
        }
        if FileWork.isDirectory(real) { return try inDirectory(real) }
        let directory = FileWork.parent(real)
        if isManifest(real) {
            var source = try inDirectory(directory)
            source.manifests = source.manifests.filter { $0 == real }
            return source
        }
        var source = try inDirectory(directory)
        source.libraryDirectories = [directory]
        source.library = real
        return source
    }

    private static func inDirectory(_ directory: String) throws(DocumentsError) -> ProviderSource {
        let beside = manifests(in: directory)
        if !beside.isEmpty {
            let package = FileWork.parent(directory)
            return ProviderSource(
                manifests: beside, libraryDirectories: [directory] + builds(of: directory) + builds(of: package))
        }
        let inside = manifests(in: directory + "/manifests")
        if !inside.isEmpty {
            return ProviderSource(manifests: inside, libraryDirectories: builds(of: directory) + [directory])
        }
        var above = directory
        // A directory without a library is not a build, and manifests above it belong to something else.
        for _ in 0..<(hasLibrary(directory) ? heightLimit : 0) {
            above = FileWork.parent(above)
            let found = manifests(in: above + "/manifests")
            if !found.isEmpty { return ProviderSource(manifests: found, libraryDirectories: [directory]) }
        }
        throw DocumentsError(
            .notFound, "There is no manifest in \(directory), or in a directory manifests there or above it.",
            suggestion:
                "A package has its manifests in manifests/; give the package's directory or its build directory.")
    }

    /// The files of a directory that are manifests of extensions. Builds create other JSON files.
    private static func manifests(in directory: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
        return names.sorted().filter { !$0.hasPrefix(".") }.map { directory + "/" + $0 }.filter { path in
            guard FileWork.isFile(path) else { return false }
            return path.hasSuffix(".plist") || path.hasSuffix(".json") && mentionsExtension(path)
        }
    }

    private static func isManifest(_ path: String) -> Bool { path.hasSuffix(".plist") || path.hasSuffix(".json") }

    private static func mentionsExtension(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size <= 1 << 20, let content = try? FileWork.read(path) else {
            return false
        }
        return String(decoding: content, as: UTF8.self).contains("NSExtensionPointIdentifier")
    }

    private static func hasLibrary(_ directory: String) -> Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).contains { $0.hasSuffix(".so") }
    }

    /// The build directories that exist, the most recent build first.
    private static func builds(of package: String) -> [String] {
        var found: [(path: String, time: Int)] = []
        for path in buildDirectories.map({ package + "/" + $0 }) where FileWork.isDirectory(path) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let times = names.filter { $0.hasSuffix(".so") }.map { name -> Int in
                var status = stat()
                return stat(path + "/" + name, &status) == 0 ? status.st_mtim.tv_sec : 0
            }
            if let newest = times.max() { found.append((path, newest)) }
        }
        return found.sorted { $0.time > $1.time }.map(\.path)
    }
}
