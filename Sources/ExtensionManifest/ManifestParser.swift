/// Converts the contents of one manifest to an `ExtensionManifest` and collects all problems.
struct ManifestParser {
    let reader: ManifestReader
    let path: String
    let directory: ManifestSearchPath.Directory
    var contents: [String: PropertyListValue]
    var problems: [ManifestProblem] = []
    var variables = BuildVariables()
    /// The keys whose values come from another file, with the path of that file.
    var borrowed: [String: String] = [:]

    init(
        reader: ManifestReader, path: String, directory: ManifestSearchPath.Directory,
        contents: [String: PropertyListValue]
    ) {
        self.reader = reader
        self.path = path
        self.directory = directory
        self.contents = contents
    }

    /// Parses the manifest.
    ///
    /// - Parameters:
    ///   - bytes: the file, for the digest.
    ///   - verdict: the result of the trust rules for the file.
    ///   - companion: the entitlements file beside it, if there is one.
    mutating func parse(
        bytes: [UInt8], verdict: FileInspector.Verdict, companion: EntitlementsFile? = nil
    ) -> ManifestReport {
        problems = verdict.problems
        if let companion {
            for key in companion.contents.keys where contents[key] == nil { borrowed[key] = companion.path }
            contents.merge(companion.contents) { own, _ in own }
            problems += companion.problems(beside: contents)
        }
        let written = DictionaryReader(values: contents, path: "")
        // Its type is checked below, with everything else.
        variables = BuildVariables(
            product: written[.executable]?.stringValue.flatMap { BuildVariables.product(ofLibrary: $0) })
        if let text = written[.bundleIdentifier]?.stringValue {
            let (identifier, unknown) = variables.expand(text)
            variables.bundleIdentifier = unknown.isEmpty ? identifier : nil
        }
        let manifest = DictionaryReader(values: contents.mapValues(variables.expand), path: "")
        let identifier = bundleIdentifier(manifest)
        guard let (extensionReader, point) = extensionPoint(manifest) else {
            return report(identifier, nil)
        }
        let executable = manifest.string(.executable, &problems)
        let library = library(executable, of: identifier)
        let attributes = attributes(extensionReader)
        let entitlements = EntitlementsParser(environment: reader.environment, variables: variables)
            .parse(manifest, &problems)
        let limits = LimitsParser.parse(manifest, &problems)
        let group = documentGroup(extensionReader, point, entitlements)
        let (principalClass, storyboard) = entryPoint(extensionReader, point)
        let modes = modes(attributes, point)
        let types = supportedTypes(attributes, point)
        let enumeration = attributes.boolean(.supportsEnumeration, &problems)
        let folders = attributes.boolean(.supportsPickingFolders, &problems)
        var declarations = TypeDeclarationParser()
        let exported = declarations.parse(.exportedTypes, of: manifest, &problems)
        let imported = declarations.parse(.importedTypes, of: manifest, &problems)
        let displayName = displayName(manifest, identifier)
        let version = version(manifest)
        noteOddities(manifest, extensionReader, attributes)

        guard !problems.containsError, let identifier, let executable, let libraryPath = library.path else {
            return report(identifier, nil)
        }
        return report(
            identifier,
            ExtensionManifest(
                path: path, bundleIdentifier: identifier, displayName: displayName, version: version,
                executable: executable, libraryPath: libraryPath, point: point, principalClass: principalClass,
                mainStoryboard: storyboard, modes: modes, supportedTypes: types, documentGroup: group,
                supportsEnumeration: enumeration ?? false, supportsPickingFolders: folders ?? false,
                attributes: attributes.values, exportedTypes: exported, importedTypes: imported,
                entitlements: entitlements, limits: limits, problems: listed, contents: contents,
                fileDigest: EntitlementsFile.digest(of: bytes, with: companion), entitlementsPath: companion?.path,
                origin: directory.origin,
                isOwnedByRoot: verdict.ownedByRoot && library.ownedByRoot && companion?.ownedByRoot != false))
    }

    private func report(_ identifier: String?, _ manifest: ExtensionManifest?) -> ManifestReport {
        ManifestReport(
            path: path, bundleIdentifier: identifier, manifest: manifest, problems: listed)
    }

    /// The problems, each with the file in which it is.
    private var listed: [ManifestProblem] {
        problems.map { problem in
            var problem = problem
            let key = problem.key
            problem.file =
                problem.file ?? borrowed.first { key == $0.key || key.hasPrefix($0.key + "[") }?.value
            return problem
        }.listed
    }

    private mutating func bundleIdentifier(_ manifest: DictionaryReader) -> String? {
        guard let text = manifest.string(.bundleIdentifier, &problems) else {
            if manifest[.bundleIdentifier] == nil {
                missing(manifest.keyPath(.bundleIdentifier), "a bundle identifier")
            }
            return nil
        }
        let unknown = variables.expand(text).unknown
        if let problem = ManifestNames.problem(ofBundleIdentifier: text, unknown: unknown) {
            problems.append(problem)
            return nil
        }
        return text
    }

    private mutating func extensionPoint(
        _ manifest: DictionaryReader
    ) -> (DictionaryReader, ExtensionPoint)? {
        guard let reader = manifest.dictionary(.extension, &problems) else {
            if manifest[.extension] == nil {
                missing(manifest.keyPath(.extension), "a dictionary that describes the extension")
            }
            return nil
        }
        let key = ManifestKey.extensionPoint
        guard let text = reader.string(key, &problems) else {
            if reader[key] == nil {
                missing(reader.keyPath(key), ExtensionPoint.allCases.map(\.rawValue).joined(separator: " or "))
            }
            return nil
        }
        if let point = ExtensionPoint(rawValue: text) { return (reader, point) }
        let shown = DisplayText.quoted(text)
        let names = ExtensionPoint.allCases.map(\.rawValue)
        if text == ExtensionPoint.unsupportedActions {
            problems.append(
                .note(
                    reader.keyPath(key), found: shown, expected: names.joined(separator: " or "),
                    remedy: "No action is needed.",
                    message: "Extensions for actions are not supported; this one is ignored."))
        } else {
            let meant = DisplayText.nearest(to: text, among: names, within: 6) ?? ExtensionPoint.fileProvider.rawValue
            problems.append(
                .error(
                    reader.keyPath(key), found: shown, expected: names.joined(separator: " or "),
                    remedy: "Write \(meant), if that is what the extension is.",
                    message: "The extension point \(shown) is not one of a document provider."))
        }
        return nil
    }

    private mutating func library(_ executable: String?, of identifier: String?) -> LibraryLocator.Result {
        guard let executable else {
            if contents[ManifestKey.executable.rawValue] == nil {
                missing(ManifestKey.executable.rawValue, "the library's file name")
            }
            return .init()
        }
        let unknown = BuildVariables().expand(executable).unknown
        if !unknown.isEmpty {
            problems.append(ManifestNames.unexpanded(ManifestKey.executable.rawValue, executable, unknown))
            return .init()
        }
        let result = LibraryLocator(environment: reader.environment, inspector: reader.inspector)
            .locate(
                executable, of: identifier.map(ExtensionManifest.containingIdentifier), besides: path,
                libraryDirectory: directory.libraryDirectory)
        // A directory that contains both manifest and library is reported once.
        let known = Set(problems.map(\.message))
        problems += result.problems.filter { !known.contains($0.message) }
        return result
    }

    private mutating func displayName(_ manifest: DictionaryReader, _ identifier: String?) -> String {
        let fallback = identifier?.split(separator: ".").last.map(String.init) ?? ""
        for key in [ManifestKey.displayName, .name] {
            guard let text = manifest.string(key, &problems) else { continue }
            guard variables.expand(text).unknown.isEmpty else {
                problems.append(
                    .warning(
                        manifest.keyPath(key), found: DisplayText.quoted(text), expected: "a name on one line",
                        remedy: "Write out the build variable.",
                        message:
                            "The name \(DisplayText.quoted(text)) has a build variable whose value is not known here; "
                            + "another one is shown."))
                continue
            }
            if text.allSatisfy(\.isWhitespace) || text.utf8.count > 255 || DisplayText.hasHidden(text) {
                problems.append(
                    .error(
                        manifest.keyPath(key), found: DisplayText.quoted(text),
                        expected: "a name on one line, at most 255 bytes",
                        remedy:
                            "Write a short name without control characters, direction marks and characters that show nothing.",
                        message: "The display name \(DisplayText.quoted(text)) cannot be shown safely."))
            } else {
                return text
            }
            return fallback
        }
        return fallback
    }

    private mutating func version(_ manifest: DictionaryReader) -> String? {
        let key = ManifestKey.version
        guard let text = manifest.string(key, &problems) else { return nil }
        guard variables.expand(text).unknown.isEmpty, text.utf8.count <= 64, !DisplayText.isDeceptive(text) else {
            problems.append(
                .warning(
                    manifest.keyPath(key), found: DisplayText.quoted(text), expected: "a version such as 1.2.3",
                    remedy: "Write out the version.", message: "The version cannot be shown and is left out."))
            return nil
        }
        return text
    }

    mutating func missing(_ key: String, _ expected: String) {
        problems.append(
            .error(
                key, found: "nothing", expected: expected, remedy: "Add the key \(key).",
                message: "The key \(key) is missing."))
    }
}
