/// Reads and checks individual manifests. Nothing is loaded or run.
package struct ManifestReader: Sendable {
    /// The home, the protected directories and the library path.
    package let environment: ManifestEnvironment
    /// Answers who owns a file.
    package let inspector: FileInspector

    /// Creates a reader for an environment.
    package init(environment: ManifestEnvironment, inspector: FileInspector = .system()) {
        self.environment = environment
        self.inspector = inspector
    }

    /// The same reader for the manifests of one scan: it asks about each path once.
    func remembering() -> ManifestReader {
        ManifestReader(environment: environment, inspector: inspector.remembering())
    }

    /// The dictionary in a file.
    static func dictionary(_ bytes: [UInt8]) throws(PropertyListReader.Failure) -> [String: PropertyListValue] {
        let value = try PropertyListReader.read(bytes)
        guard case .dictionary(let contents) = value else {
            throw .init(key: "", found: value.kindDescription, expected: "a dictionary")
        }
        return contents
    }

    /// Reads one manifest and returns all its problems. `ManifestDiscovery` adds those that concern several manifests.
    ///
    /// - Parameters:
    ///   - path: the file; a relative path is resolved against the working directory.
    ///   - directory: the search path entry in which it was found; by default its own directory, as if named
    ///     explicitly.
    package func read(_ path: String, in directory: ManifestSearchPath.Directory? = nil) -> ManifestReport {
        let absolute = Paths.isAbsolute(path) ? path : Paths.join(ManifestEnvironment.workingDirectory(), path)
        // Links in the directory are resolved, so that the owners of the files that are really used are checked.
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
