extension ManifestImport {
    /// Reads the files of an extension and converts them to a manifest.
    ///
    /// - Parameters:
    ///   - info: its `Info.plist`.
    ///   - entitlements: its entitlements file; nil: the one beside it, if it is clear which one that is.
    /// - Throws: ``Failure`` when a file cannot be read, and as the other initialiser.
    package init(info: String, entitlements: String?, _ options: Options) throws(Failure) {
        let working = ManifestEnvironment.workingDirectory()
        let path = Paths.isAbsolute(info) ? info : Paths.join(working, info)
        let contents = try Self.dictionary(path)
        let inspector = FileInspector(user: 0) { FileInspector.systemFacts($0) }
        let beside = entitlements ?? EntitlementsFile(beside: path, inspector: inspector)?.path
        let asked = try beside.map { file throws(Failure) in
            try Self.dictionary(Paths.isAbsolute(file) ? file : Paths.join(working, file))
        }
        try self.init(contents, entitlements: asked ?? [:], options)
        entitlementsPath = beside
    }

    private static func dictionary(_ path: String) throws(Failure) -> [String: PropertyListValue] {
        let shown = DisplayText.quoted(path)
        switch ManifestFile.read(Paths.canonical(path) ?? path) {
        case .failure(let failure):
            throw Failure(
                message: "\(shown) is not read: it is \(failure.problem.found).", remedy: "Give a property list.")
        case .success(let bytes):
            do throws(PropertyListReader.Failure) {
                return try ManifestReader.dictionary(bytes)
            } catch {
                let problem = error.problem(of: shown)
                throw Failure(message: problem.message, remedy: problem.remedy)
            }
        }
    }

    /// The errors and warnings of the manifest, except for its library, which need not be built yet.
    ///
    /// - Parameter path: the path at which the manifest will be stored.
    package func problems(at path: String, _ environment: ManifestEnvironment) -> [ManifestProblem] {
        let reader = ManifestReader(environment: environment)
        let directory = ManifestSearchPath.Directory(path: Paths.parent(of: path), origin: .explicit)
        var parser = ManifestParser(reader: reader, path: path, directory: directory, contents: contents)
        if let entitlementsPath {
            for key in entitlementKeys { parser.borrowed[key] = entitlementsPath }
        }
        return parser.parse(bytes: [], verdict: FileInspector.Verdict()).problems
            .filter { $0.key != ManifestKey.executable.rawValue || !$0.expected.hasPrefix("a library in") }
    }
}
