/// Reads and checks single manifests. Nothing is loaded or run.
package struct ManifestReader: Sendable {
    /// Home, protected directories, library path.
    package let environment: ManifestEnvironment
    /// Who owns what.
    package let inspector: FileInspector

    /// A reader for the given surroundings.
    package init(environment: ManifestEnvironment, inspector: FileInspector = .system()) {
        self.environment = environment
        self.inspector = inspector
    }

    /// The same, for the manifests of one scan: it asks once about each path.
    func remembering() -> ManifestReader {
        ManifestReader(environment: environment, inspector: inspector.remembering())
    }

    /// The dictionary that a file holds.
    static func dictionary(_ bytes: [UInt8]) throws(PropertyListReader.Failure) -> [String: PropertyListValue] {
        let value = try PropertyListReader.read(bytes)
        guard case .dictionary(let contents) = value else {
            throw .init(key: "", found: value.kindDescription, expected: "a dictionary")
        }
        return contents
    }

    /// Reads one manifest and returns all its problems. What concerns several manifests (A5, duplicates) is added by
    /// `ManifestDiscovery`.
    ///
    /// - Parameters:
    ///   - path: the file; a relative path is taken from the working directory.
    ///   - directory: the search path entry it was found in; by default its own directory, as if named explicitly.
    package func read(_ path: String, in directory: ManifestSearchPath.Directory? = nil) -> ManifestReport {
        let absolute = Paths.isAbsolute(path) ? path : Paths.join(ManifestEnvironment.workingDirectory(), path)
        // The directory's links are resolved so that the owners of what is really used are checked.
        let parent = inspector.canonical(Paths.parent(of: absolute)) ?? Paths.parent(of: absolute)
        let file = Paths.join(parent, Paths.lastComponent(of: absolute))
        let directory = directory ?? .init(path: parent, origin: .explicit)

        switch ManifestFile.read(file) {
        case .failure(let failure):
            return ManifestReport(path: file, bundleIdentifier: nil, manifest: nil, problems: [failure.problem])
        case .success(let bytes):
            let verdict = inspector.verdict(on: file, key: "")
            do throws(PropertyListReader.Failure) {
                let contents = try Self.dictionary(bytes)
                let companion = EntitlementsFile(beside: file, inspector: inspector)
                var parser = ManifestParser(reader: self, path: file, directory: directory, contents: contents)
                return parser.parse(bytes: bytes, verdict: verdict, companion: companion)
            } catch {
                return ManifestReport(
                    path: file, bundleIdentifier: nil, manifest: nil,
                    problems: verdict.problems + [error.problem(of: "The manifest")])
            }
        }
    }
}
