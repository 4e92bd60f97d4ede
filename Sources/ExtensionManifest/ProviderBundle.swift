import Glibc

/// The provider that an author means by a path or a name: a manifest, a library, a directory with both, or an installed
/// provider. Looks for the manifests that belong to it; never loads code.
package struct ProviderBundle: Sendable {
    /// Why nothing can be found for the argument.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// One sentence, safe for a terminal.
        package let message: String
        /// What to do next.
        package let remedy: String

        package var description: String { message }
    }

    /// The variables to read the manifests with: the library path starts with the bundle's own directories.
    package let variables: [String: String]
    /// The directories in which manifests were found; empty for an installed provider.
    package let directories: [String]
    /// The manifests that were found, usable or not, sorted by path.
    package let manifests: [ManifestReport]
    /// The providers that can be used; a directory may contain several.
    package let providers: [ProviderDescription]

    /// Finds what is meant.
    ///
    /// - Parameters:
    ///   - argument: the path of a manifest, a library or a directory; else a provider's identifier or its last
    ///     component.
    ///   - variables: the environment.
    /// - Throws: ``Failure`` when there is no manifest at all.
    package init(_ argument: String, variables: [String: String]) throws(Failure) {
        guard !argument.isEmpty, !argument.utf8.contains(0) else {
            throw Failure(message: "No provider is named.", remedy: "Give a directory, a manifest or an identifier.")
        }
        let absolute =
            Paths.isAbsolute(argument) ? argument : Paths.join(ManifestEnvironment.workingDirectory(), argument)
        guard let path = Paths.canonical(absolute) else {
            guard !argument.utf8.contains(UInt8(ascii: "/")), !Self.isFileName(argument) else {
                throw Failure(
                    message: "There is nothing at \(DisplayText.quoted(argument)).",
                    remedy: "Give a directory with a provider's library and manifests, a manifest, or an identifier.")
            }
            try self.init(installed: argument, variables: variables)
            return
        }
        switch FileInspector.systemFacts(path)?.kind {
        case .directory: try self.init(directory: path, library: nil, variables: variables)
        case .regular where Self.isManifest(path): self.init(manifest: path, variables: variables)
        case .regular:
            try self.init(
                directory: Paths.parent(of: path), library: Paths.lastComponent(of: path), variables: variables)
        default:
            throw Failure(
                message: "\(DisplayText.quoted(argument)) is neither a file nor a directory.",
                remedy: "Give a directory with a provider's library and manifests, a manifest, or an identifier.")
        }
    }

    private init(manifest path: String, variables: [String: String]) {
        let parent = Paths.parent(of: path)
        self.variables = Self.adding(Self.libraryPlaces(of: [parent, Paths.parent(of: parent)]), to: variables)
        directories = [parent]
        let discovery = Self.discovery(self.variables)
        let named = discovery.check(files: [path])
        let found = discovery.scan(searchPath: .init(directories: [.init(path: parent, origin: .explicit)]))
        providers = found.providers.filter { $0.extensions.contains { $0.path == path } }
        let companions = providers.flatMap(\.extensions).map(\.path).filter { $0 != path }
        manifests = named + discovery.check(files: companions)
    }

    private init(directory: String, library: String?, variables: [String: String]) throws(Failure) {
        self.variables = Self.adding(Self.libraryPlaces(of: [directory]), to: variables)
        let discovery = Self.discovery(self.variables)
        for place in Self.manifestPlaces(of: directory) {
            let found = discovery.scan(searchPath: .init(directories: [.init(path: place, origin: .explicit)]))
            let all = found.providers.filter { provider in
                library.map { name in
                    provider.extensions.contains { Paths.lastComponent(of: $0.libraryPath) == name }
                } ?? true
            }
            let broken = (found.broken + found.ignored).map(\.path).filter { !Self.isOfBuild($0) }
            guard !all.isEmpty || library == nil && !broken.isEmpty else { continue }
            let paths = all.flatMap(\.extensions).map(\.path) + (library == nil ? broken : [])
            directories = [place]
            providers = all
            manifests = discovery.check(files: paths.sorted())
            return
        }
        let what = library.map { DisplayText.quoted(Paths.join(directory, $0)) } ?? DisplayText.quoted(directory)
        throw Failure(
            message: library == nil
                ? "\(what) has no manifest (*.plist or *.json), nor has a directory `manifests` in it or above it."
                : "No manifest beside the library \(what), or in a directory `manifests` above it, names it.",
            remedy: "Give the manifest: docent provider validate MANIFEST, with its library beside it.")
    }

    private init(installed name: String, variables: [String: String]) throws(Failure) {
        let environment = ManifestEnvironment(variables: variables)
        // Single manifests are read as if named explicitly, so the user's library directory has to be added.
        self.variables = Self.adding([Paths.join(environment.dataHome, "docent/providers")], to: variables)
        directories = []
        let discovery = ManifestDiscovery(reader: ManifestReader(environment: environment))
        let found = discovery.scan(searchPath: ManifestSearchPath(environment: environment))
        let exact = found.providers.filter { $0.identifier == name || $0.locationName == name }
        providers =
            exact.isEmpty
            ? found.providers.filter { $0.locationName.lowercased() == name.lowercased() } : Array(exact.prefix(1))
        let broken = (found.broken + found.ignored).filter { manifest in
            manifest.bundleIdentifier.map { ExtensionManifest.containingIdentifier(of: $0) == name } ?? false
        }
        let paths = providers.flatMap(\.extensions).map(\.path) + broken.map(\.path)
        guard !paths.isEmpty else {
            throw Failure(
                message: "There is no provider \(DisplayText.quoted(name)), and no file of that name.",
                remedy: "`docent providers --all` lists what is installed.")
        }
        manifests = Self.discovery(self.variables).check(files: paths)
    }

    /// Whether a name that does not exist was meant as a file: an identifier does not end like a file name.
    private static func isFileName(_ name: String) -> Bool {
        isManifest(name) || name.utf8.suffix(3).elementsEqual(".so".utf8)
    }

    /// Whether a file is one of the JSON files that builds leave beside a library, and never a manifest.
    private static func isOfBuild(_ path: String) -> Bool {
        guard path.utf8.suffix(5).elementsEqual(".json".utf8) else { return false }
        guard case .success(let bytes) = ManifestFile.read(path) else {
            // Build descriptions are larger than a manifest may be.
            return FileInspector.systemFacts(path)?.kind == .regular && access(path, R_OK) == 0
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return !text.contains(ManifestKey.extension.rawValue) && !text.contains(ManifestKey.bundleIdentifier.rawValue)
    }

    private static func isManifest(_ path: String) -> Bool {
        [".plist", ".json"].contains { path.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static func discovery(_ variables: [String: String]) -> ManifestDiscovery {
        ManifestDiscovery(reader: ManifestReader(environment: ManifestEnvironment(variables: variables)))
    }

    private static func adding(_ places: [String], to variables: [String: String]) -> [String: String] {
        let given = variables["DOCENT_LIBRARY_PATH"].map { [$0] } ?? []
        return variables.merging(["DOCENT_LIBRARY_PATH": (places + given).joined(separator: ":")]) { _, new in new }
    }

    /// Where a build stores libraries, starting at the given directory.
    private static func libraryPlaces(of directories: [String]) -> [String] {
        directories.flatMap { directory in
            [directory]
                + [".build/debug", ".build/release", "target/debug", "target/release", "build"].map {
                    Paths.join(directory, $0)
                }
        }.filter { Paths.canonical($0) != nil }
    }

    /// The directory itself, `manifests` in it, and `manifests` in the package around a build directory.
    private static func manifestPlaces(of directory: String) -> [String] {
        var places = [directory, Paths.join(directory, "manifests")]
        var above = directory
        for _ in 0..<4 where above != "/" {
            above = Paths.parent(of: above)
            places.append(Paths.join(above, "manifests"))
        }
        return places.filter { Paths.canonical($0) != nil }
    }
}
